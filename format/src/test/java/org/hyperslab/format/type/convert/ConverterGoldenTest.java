package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Normalization;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.junit.jupiter.api.Test;

/** Compares number conversions with tables that the C library made (conversions.c). */
class ConverterGoldenTest {

  private static final Map<String, Datatype> TYPES = types();

  private static Map<String, Datatype> types() {
    Map<String, Datatype> types = new HashMap<>();
    types.put("i8", Datatypes.I8LE);
    types.put("u8", Datatypes.U8LE);
    types.put("i16", Datatypes.I16LE);
    types.put("u16", Datatypes.U16LE);
    types.put("i32", Datatypes.I32LE);
    types.put("u32", Datatypes.U32LE);
    types.put("i64", Datatypes.I64LE);
    types.put("u64", Datatypes.U64LE);
    types.put("i16be", Datatypes.I16BE);
    types.put("u32be", Datatypes.U32BE);
    types.put("i64be", Datatypes.I64BE);
    types.put("f32", Datatypes.F32LE);
    types.put("f64", Datatypes.F64LE);
    types.put("f32be", Datatypes.F32BE);
    types.put("f64be", Datatypes.F64BE);
    types.put(
        "i17", new IntegerType(4, Endian.LITTLE, true, 17, 3, BitPadding.ZERO, BitPadding.ONE));
    types.put("u11", new IntegerType(2, Endian.BIG, false, 11, 4, BitPadding.ONE, BitPadding.ZERO));
    types.put("i100", IntegerType.of(16, Endian.LITTLE, true).withPrecision(100, 0));
    types.put("i24be", IntegerType.of(3, Endian.BIG, true));
    types.put("x87", Datatypes.X87_LONG_DOUBLE);
    types.put("vaxf", Datatypes.VAX_F32);
    types.put("vaxg", Datatypes.VAX_F64);
    types.put("f16", Datatypes.F16LE);
    types.put("bf16", Datatypes.BF16LE);
    types.put("f8e4m3", Datatypes.F8E4M3);
    types.put("f8e5m2", Datatypes.F8E5M2);
    types.put("f6e2m3", Datatypes.F6E2M3);
    types.put("f4e2m1", Datatypes.F4E2M1);
    types.put(
        "f24be",
        new FloatType(
            3,
            Endian.BIG,
            24,
            0,
            new FloatType.Fields(23, 15, 8, 0, 15, 127, Normalization.IMPLIED),
            FloatType.Padding.ZEROS));
    return types;
  }

  /** One element that differs. */
  record Difference(String source, String target, String element, String actual, String golden) {}

  private static List<Difference> differences(String resource) throws IOException {
    Map<String, byte[]> values = new HashMap<>();
    List<Difference> differences = new ArrayList<>();
    try (InputStream in = ConverterGoldenTest.class.getResourceAsStream(resource)) {
      String all = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      for (String line : all.split("\n")) {
        String[] part = line.split(" ");
        byte[] bytes = HexFormat.of().parseHex(part[2]);
        if (part[0].equals("type")) {
          values.put(part[1], bytes);
        } else {
          compare(part[0], part[1], values.get(part[0]), bytes, differences);
        }
      }
    }
    return differences;
  }

  private static void compare(
      String from, String to, byte[] values, byte[] golden, List<Difference> differences) {
    Datatype source = TYPES.get(from);
    Datatype target = TYPES.get(to);
    byte[] actual = new byte[golden.length];
    int count = golden.length / target.size();
    Converter.between(source, target)
        .open()
        .convert(MemorySegment.ofArray(values), 0, MemorySegment.ofArray(actual), 0, count);
    for (int i = 0; i < count; i++) {
      byte[] mine = Arrays.copyOfRange(actual, i * target.size(), (i + 1) * target.size());
      byte[] theirs = Arrays.copyOfRange(golden, i * target.size(), (i + 1) * target.size());
      if (!Arrays.equals(mine, theirs)) {
        byte[] element = Arrays.copyOfRange(values, i * source.size(), (i + 1) * source.size());
        HexFormat hex = HexFormat.of();
        differences.add(
            new Difference(
                from, to, hex.formatHex(element), hex.formatHex(mine), hex.formatHex(theirs)));
      }
    }
  }

  /**
   * The cases in which the C library deviates from its own rules: those that C leaves undefined,
   * and errors of its software conversion.
   */
  private static boolean known(Difference d) {
    Datatype source = TYPES.get(d.source());
    Datatype target = TYPES.get(d.target());
    if (d.target().equals("x87") && d.actual().regionMatches(0, d.golden(), 0, 20)) {
      return true; // C leaves the six bytes behind the number as they were
    }
    if (source instanceof IntegerType s && target instanceof IntegerType t) {
      return s.size() == t.size() && s.signed() != t.signed(); // C only swaps bytes
    }
    byte[] element = HexFormat.of().parseHex(d.element());
    if (d.source().equals("x87") && (element[7] & 0x80) == 0) {
      return true; // an encoding that the processor rejects
    }
    if (source instanceof FloatType) {
      WideNumber value = new WideNumber();
      NumberFormat.of(source).read(element, 0, value);
      if (target instanceof IntegerType t) {
        return undefinedInC(value, t);
      }
      if (value.kind == WideNumber.Kind.NAN) {
        byte[] actual = HexFormat.of().parseHex(d.actual());
        NumberFormat.of(target).read(actual, 0, value);
        return value.kind == WideNumber.Kind.NAN; // C keeps the payload or not
      }
    }
    return !bothInHardware(d) && (unitsApart(d, target) <= 1 || carried(d, target));
  }

  /**
   * C's software rounds ties up, never to infinity, and halves what rounds up to a power of two.
   */
  private static boolean carried(Difference d, Datatype target) {
    WideNumber value = new WideNumber();
    NumberFormat.of(target).read(HexFormat.of().parseHex(d.actual()), 0, value);
    return Long.bitCount(value.high) + Long.bitCount(value.low) == 1;
  }

  private static boolean undefinedInC(WideNumber value, IntegerType target) {
    int limit = target.precision() - (target.signed() ? 1 : 0);
    return value.kind != WideNumber.Kind.FINITE
        || value.negative && !target.signed()
        || value.bitLength() + value.exponent <= 0 // C makes tiny negatives the least integer
        || value.bitLength() + value.exponent > limit;
  }

  private static boolean bothInHardware(Difference d) {
    List<String> soft = List.of("be", "vax", "bf16", "f8", "f6", "f4e", "u11");
    return soft.stream().noneMatch(name -> (d.source() + d.target()).contains(name));
  }

  private static long unitsApart(Difference d, Datatype target) {
    byte[] actual = HexFormat.of().parseHex(d.actual());
    byte[] golden = HexFormat.of().parseHex(d.golden());
    long a = NumberFormat.bits(actual, 0, target, 0, Math.min(64, 8 * target.size()));
    long g = NumberFormat.bits(golden, 0, target, 0, Math.min(64, 8 * target.size()));
    return Math.abs(a - g);
  }

  private static void check(String resource) throws IOException {
    List<Difference> unknown =
        differences(resource).stream().filter(difference -> !known(difference)).toList();
    assertThat(unknown).isEmpty();
  }

  @Test
  void convertsNumbersAsHdf5OneTenDoes() throws IOException {
    check("conversions-1.10.txt");
  }

  @Test
  void convertsSmallFloatsAsHdf5TwoDoes() throws IOException {
    check("conversions-2.x.txt");
  }

  @Test
  void cutsAndPadsStringsAsHdf5Does() throws IOException {
    try (InputStream in = ConverterGoldenTest.class.getResourceAsStream("strings.txt")) {
      String all = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      for (String line : all.split("\n")) {
        String[] part = line.split(" ");
        byte[] to = new byte[Integer.parseInt(part[3])];
        Converter.between(string(part[0], part[1]), string(part[2], part[3]))
            .open()
            .convert(
                MemorySegment.ofArray(HexFormat.of().parseHex(part[4])),
                0,
                MemorySegment.ofArray(to),
                0,
                1);
        assertThat(HexFormat.of().formatHex(to)).as(line).isEqualTo(part[5]);
      }
    }
  }

  private static StringType string(String padding, String size) {
    StringPadding pad = StringPadding.values()[Integer.parseInt(padding)];
    return new StringType(Integer.parseInt(size), pad, CharacterSet.ASCII);
  }
}
