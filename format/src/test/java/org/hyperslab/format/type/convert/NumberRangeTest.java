package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that single numbers at the ends of every range are found among many others. */
final class NumberRangeTest {

  /** More than a lane, and not a multiple of one. */
  private static final int COUNT = 2500;

  private static final List<Datatype> SOURCES =
      List.of(
          Datatypes.I8LE,
          Datatypes.U8LE,
          Datatypes.I16BE,
          Datatypes.U16LE,
          Datatypes.I32LE,
          Datatypes.U32BE,
          Datatypes.I64LE,
          Datatypes.I64BE,
          Datatypes.U64LE,
          Datatypes.F16LE,
          Datatypes.F32LE,
          Datatypes.F64LE,
          Datatypes.F64BE,
          IntegerType.of(3, Endian.LITTLE, true));

  private static final List<Datatype> TARGETS =
      List.of(
          Datatypes.NATIVE_BYTE,
          Datatypes.NATIVE_SHORT,
          Datatypes.NATIVE_UNSIGNED_SHORT,
          Datatypes.NATIVE_INT,
          Datatypes.U32LE,
          Datatypes.NATIVE_LONG,
          Datatypes.U64LE,
          Datatypes.NATIVE_FLOAT);

  private static final ValueLayout.OfLong LITTLE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static Stream<Datatype> sources() {
    return SOURCES.stream();
  }

  @ParameterizedTest
  @MethodSource("sources")
  void endsOfEveryRangeAreFound(Datatype source) {
    for (Datatype target : TARGETS) {
      NumberRange range = NumberRange.between(source, target).orElse(null);
      for (MemorySegment number : edges(source)) {
        boolean inside = isInside(source, number, target);
        if (range == null) {
          assertThat(inside).as("%s to %s", source, target).isTrue();
        } else {
          check(source, target, range, number, inside);
        }
      }
    }
  }

  private static void check(
      Datatype source, Datatype target, NumberRange range, MemorySegment number, boolean inside) {
    for (int at : new int[] {0, 1023, 1024, COUNT - 1}) {
      MemorySegment from = zeros(source);
      from.asSlice((long) at * source.size()).copyFrom(number);
      MemorySegment to = zeros(target);
      long expected = inside ? -1 : at;
      String what = source.describe() + " " + range.text(from, 0, at) + " to " + target.describe();
      assertThat(range.firstOutside(from, 0, COUNT)).as(what).isEqualTo(expected);
      assertThat(range.convert(from, to, COUNT)).as(what).isEqualTo(expected);
      if (inside) {
        MemorySegment plain = zeros(target);
        Converter.between(source, target).open().convert(from, 0, plain, 0, COUNT);
        assertThat(to.mismatch(plain)).as(what).isEqualTo(-1);
      }
    }
  }

  private static MemorySegment zeros(Datatype type) {
    return MemorySegment.ofArray(new byte[COUNT * type.size()]);
  }

  private static boolean isInside(Datatype source, MemorySegment number, Datatype target) {
    boolean real = target instanceof FloatType;
    BigDecimal value;
    if (source instanceof FloatType) {
      double v = NumberCodec.of(source).getDouble(number, 0);
      if (!Double.isFinite(v)) {
        return real;
      }
      value = new BigDecimal(v);
    } else {
      value = new BigDecimal(NumberCodec.of(source).getBigInteger(number, 0));
    }
    if (real) {
      return value.abs().compareTo(new BigDecimal(Float.MAX_VALUE)) <= 0;
    }
    BigInteger whole = value.toBigInteger();
    return whole.compareTo(least((IntegerType) target)) >= 0
        && whole.compareTo(greatest((IntegerType) target)) <= 0;
  }

  private static BigInteger least(IntegerType type) {
    return type.signed() ? BigInteger.TWO.pow(8 * type.size() - 1).negate() : BigInteger.ZERO;
  }

  private static BigInteger greatest(IntegerType type) {
    int bits = 8 * type.size() - (type.signed() ? 1 : 0);
    return BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
  }

  private static List<MemorySegment> edges(Datatype source) {
    List<MemorySegment> edges = new ArrayList<>();
    for (Datatype target : TARGETS) {
      if (target instanceof IntegerType integer) {
        for (int step = -1; step <= 1; step++) {
          for (BigInteger end : List.of(least(integer), greatest(integer))) {
            add(edges, source, end.add(BigInteger.valueOf(step)));
          }
        }
      }
    }
    if (source instanceof FloatType) {
      addReals(edges, source);
    }
    return edges;
  }

  /** The number, and its neighbours if the source has fractions; or what the source has instead. */
  private static void add(List<MemorySegment> edges, Datatype source, BigInteger value) {
    NumberCodec codec = NumberCodec.of(source);
    MemorySegment whole = number(source);
    codec.setBigInteger(whole, 0, value);
    edges.add(whole);
    double real = value.doubleValue();
    if (source instanceof FloatType) {
      for (double near :
          new double[] {real - 0.5, real + 0.5, Math.nextDown(real), Math.nextUp(real)}) {
        addReal(edges, source, near);
      }
    }
  }

  private static void addReal(List<MemorySegment> edges, Datatype source, double value) {
    MemorySegment number = number(source);
    NumberCodec.of(source).setDouble(number, 0, value);
    edges.add(number);
  }

  private static MemorySegment number(Datatype type) {
    return MemorySegment.ofArray(new byte[type.size()]);
  }

  private static void addReals(List<MemorySegment> edges, Datatype source) {
    double most = Float.MAX_VALUE;
    for (double value :
        new double[] {
          Double.NaN,
          Double.POSITIVE_INFINITY,
          most,
          Math.nextUp(most),
          0x1p128,
          Double.MAX_VALUE,
          Double.MIN_VALUE,
          -0.0
        }) {
      for (double signed : new double[] {value, -value}) {
        addReal(edges, source, signed);
      }
    }
    if (source.equals(Datatypes.F64LE)) {
      // A NaN whose bits are next to those of infinity.
      MemorySegment number = number(source);
      number.set(LITTLE_LONG, 0, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY) + 1);
      edges.add(number);
    }
  }
}
