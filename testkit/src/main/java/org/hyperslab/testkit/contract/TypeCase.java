package org.hyperslab.testkit.contract;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hyperslab.format.type.BitPadding;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;

/**
 * A datatype to test, with the Java class of an element and sample values.
 *
 * @param name the name in the test's name
 * @param type the type as stored
 * @param element the class of one element
 * @param value the value of the element with a given index
 */
record TypeCase(String name, Datatype type, Class<?> element, IntFunction<Object> value) {

  /** A particle, for compound types. */
  @SuppressWarnings("ArrayRecordComponent") // equals looks into it
  record Particle(int id, double x, float[] velocity, String name) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Particle p
          && id == p.id
          && x == p.x
          && Arrays.equals(velocity, p.velocity)
          && name.equals(p.name);
    }

    @Override
    public int hashCode() {
      return id;
    }
  }

  /** A point, for compound types within others. */
  record Point(short x, long y) {}

  /** Two points, for nested compounds. */
  record Segment(Point from, Point to) {}

  /** Values of enumerations. */
  enum Colour {
    RED,
    GREEN,
    BLUE
  }

  @Override
  public String toString() {
    return name;
  }

  /** Returns {@code count} values as a flat array. */
  Object values(int count) {
    Object array = Array.newInstance(element, count);
    for (int i = 0; i < count; i++) {
      Array.set(array, i, value.apply(i));
    }
    return array;
  }

  static List<TypeCase> all() {
    List<TypeCase> cases = new ArrayList<>();
    numbers(cases);
    texts(cases);
    structures(cases);
    return cases;
  }

  /** Returns the types of fixed size, whose elements are plain runs of bytes. */
  static List<TypeCase> fixedSize() {
    return all().stream().filter(c -> !c.type.hasOutOfLineParts()).toList();
  }

  private static void numbers(List<TypeCase> cases) {
    cases.add(new TypeCase("i8", Datatypes.I8LE, byte.class, i -> (byte) (i * 7 - 100)));
    cases.add(new TypeCase("u8", Datatypes.U8LE, short.class, i -> (short) (i * 7)));
    cases.add(new TypeCase("i16le", Datatypes.I16LE, short.class, i -> (short) (i * 997 - 9)));
    cases.add(new TypeCase("i16be", Datatypes.I16BE, short.class, i -> (short) (i * 997 - 9)));
    cases.add(new TypeCase("u16be", Datatypes.U16BE, int.class, i -> 65_535 - i * 13));
    cases.add(new TypeCase("i32le", Datatypes.I32LE, int.class, i -> i * 1_000_003 - 50));
    cases.add(new TypeCase("i32be", Datatypes.I32BE, int.class, i -> i * -1_000_003));
    cases.add(new TypeCase("u32le", Datatypes.U32LE, long.class, i -> 4_294_967_295L - i));
    cases.add(new TypeCase("i64le", Datatypes.I64LE, long.class, i -> Long.MIN_VALUE + i));
    cases.add(new TypeCase("i64be", Datatypes.I64BE, long.class, i -> Long.MAX_VALUE - i));
    cases.add(
        new TypeCase(
            "u64le",
            Datatypes.U64LE,
            BigInteger.class,
            i -> BigInteger.TWO.pow(64).subtract(BigInteger.valueOf(i + 1L))));
    cases.add(new TypeCase("f32le", Datatypes.F32LE, float.class, i -> i / 3f));
    cases.add(new TypeCase("f32be", Datatypes.F32BE, float.class, i -> -i / 3f));
    cases.add(new TypeCase("f64le", Datatypes.F64LE, double.class, i -> i / 3.0));
    cases.add(new TypeCase("f64be", Datatypes.F64BE, double.class, i -> -i / 7.0));
    cases.add(new TypeCase("f16le", Datatypes.F16LE, float.class, i -> i * 0.5f));
    cases.add(
        new TypeCase(
            "i24in32",
            new IntegerType(4, Endian.LITTLE, true, 24, 4, BitPadding.ZERO, BitPadding.ZERO),
            int.class,
            i -> i * 1000 - 8_000));
    cases.add(new TypeCase("b16", BitfieldType.of(2, Endian.LITTLE), int.class, i -> i * 1021));
    cases.add(new TypeCase("boolean", Datatypes.BOOLEAN, boolean.class, i -> i % 3 == 0));
    cases.add(new TypeCase("enum", colours(), Colour.class, i -> Colour.values()[i % 3]));
  }

  private static EnumType colours() {
    return EnumType.builder(Datatypes.I16BE)
        .constant("RED", 10)
        .constant("GREEN", -20)
        .constant("BLUE", 30)
        .build();
  }

  private static void texts(List<TypeCase> cases) {
    IntFunction<Object> words = i -> "w" + "xyz".repeat(i % 4);
    for (StringPadding padding : StringPadding.values()) {
      cases.add(
          new TypeCase(
              "string[16]," + padding,
              Datatypes.fixedString(16, padding, CharacterSet.ASCII),
              String.class,
              words));
    }
    cases.add(
        new TypeCase(
            "string[24],utf8", Datatypes.fixedString(24), String.class, i -> "größe " + i));
    cases.add(
        new TypeCase(
            "string[*]",
            Datatypes.vlenString(),
            String.class,
            i -> i % 5 == 4 ? "" : "日本 " + "long ".repeat(i)));
    cases.add(
        new TypeCase(
            "string[*],ascii",
            Datatypes.vlenString(CharacterSet.ASCII),
            String.class,
            i -> "text " + i));
    cases.add(
        new TypeCase(
            "opaque",
            Datatypes.opaque(5, "five bytes"),
            byte[].class,
            i -> new byte[] {(byte) i, 0, -1, 4, (byte) (i * 3)}));
  }

  private static void structures(List<TypeCase> cases) {
    cases.add(
        new TypeCase(
            "array[3]",
            Datatypes.array(Datatypes.I32BE, 3),
            int[].class,
            i -> new int[] {i, -i, i * i}));
    cases.add(
        new TypeCase(
            "array[2][3]",
            Datatypes.array(Datatypes.F64LE, 2, 3),
            double[][].class,
            i -> new double[][] {{i, 1, 2}, {3, 4, -i}}));
    cases.add(
        new TypeCase(
            "vlen{i32}",
            Datatypes.vlen(Datatypes.I32LE),
            int[].class,
            i -> IntStream.range(0, i % 6).map(k -> k * i).toArray()));
    cases.add(
        new TypeCase(
            "vlen{string}",
            Datatypes.vlen(Datatypes.vlenString()),
            String[].class,
            i -> new String[] {"a" + i, "b"}));
    CompoundType point =
        CompoundType.builder().member("x", Datatypes.I16LE).member("y", Datatypes.I64BE).build();
    cases.add(
        new TypeCase("compound", point, Point.class, i -> new Point((short) i, i * 100_000L)));
    cases.add(
        new TypeCase(
            "compound with gaps",
            CompoundType.builder()
                .member("y", 8, Datatypes.I64LE)
                .member("x", 2, Datatypes.I16LE)
                .size(24)
                .build(),
            Point.class,
            i -> new Point((short) -i, i)));
    cases.add(
        new TypeCase(
            "compound{compound}",
            CompoundType.builder().member("from", point).member("to", point).build(),
            Segment.class,
            i -> new Segment(new Point((short) i, i), new Point((short) 0, -i))));
    cases.add(
        new TypeCase(
            "compound with all",
            CompoundType.builder()
                .member("id", Datatypes.I32LE)
                .member("x", Datatypes.F64BE)
                .member("velocity", Datatypes.array(Datatypes.F32LE, 3))
                .member("name", Datatypes.vlenString())
                .build(),
            Particle.class,
            i -> new Particle(i, i / 2.0, new float[] {i, 2, 3}, "particle " + i)));
  }
}
