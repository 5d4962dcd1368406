package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.convert.PrimitiveLayout.Carrier;
import org.hyperslab.format.type.convert.PrimitiveLayout.Kind;

/**
 * Determines whether numbers of one type are within the range of another.
 *
 * <p>An integer is outside another integer type if that type does not have the value. A float is
 * outside an integer type if it is NaN, infinite, or outside after truncation of its fraction. A
 * finite number is outside a float type if it would become infinite. Loss of digits is not loss of
 * range.
 *
 * <p>Bitfields count as unsigned integers, enumerations as the integers of their base.
 *
 * <p>Thread rule: immutable.
 */
public final class NumberRange {

  private final Datatype source;
  private final Datatype target;

  private NumberRange(Datatype source, Datatype target) {
    this.source = source;
    this.target = target;
  }

  /**
   * {@return the range of {@code target} for numbers of {@code source}; empty if all of them are
   * within it, or if one of the types has no numbers}
   *
   * @param source the type to convert from
   * @param target the type to convert to
   */
  public static Optional<NumberRange> between(Datatype source, Datatype target) {
    Datatype from = number(source);
    Datatype to = number(target);
    return from == null || to == null || covers(from, to)
        ? Optional.empty()
        : Optional.of(new NumberRange(from, to));
  }

  /**
   * {@return the integer or floating-point type of a type's numbers; null if it has none} For a
   * bitfield this is an unsigned integer of the same bits.
   *
   * @param type the datatype
   */
  public static Datatype number(Datatype type) {
    return switch (type) {
      case IntegerType t -> t;
      case FloatType t -> t;
      case EnumType t -> t.base();
      case BitfieldType t ->
          new IntegerType(
              t.size(),
              t.order(),
              false,
              t.precision(),
              t.offset(),
              t.lowPadding(),
              t.highPadding());
      default -> null;
    };
  }

  private static boolean covers(Datatype source, Datatype target) {
    return switch (source) {
      case IntegerType s when target instanceof IntegerType t ->
          (!s.signed() || t.signed()) && valueBits(s) <= valueBits(t);
      case IntegerType s when target instanceof FloatType t -> valueBits(s) <= greatestExponent(t);
      case FloatType s when target instanceof FloatType t ->
          greatestExponent(s) < greatestExponent(t)
              || (greatestExponent(s) == greatestExponent(t)
                  && s.fields().mantissaSize() <= t.fields().mantissaSize());
      default -> false;
    };
  }

  private static int valueBits(IntegerType type) {
    return type.precision() - (type.signed() ? 1 : 0);
  }

  /** Returns the exponent, to base two, of the greatest finite number. */
  private static long greatestExponent(FloatType type) {
    return (1L << type.fields().exponentSize()) - 2 - type.fields().exponentBias();
  }

  /**
   * {@return the index of the first number outside the range, or -1}
   *
   * @param elements the memory that holds the numbers
   * @param at the byte offset of the first number
   * @param count the number of numbers
   */
  public long firstOutside(MemorySegment elements, long at, long count) {
    Optional<PrimitiveLayout> from = PrimitiveLayout.of(source);
    Optional<PrimitiveLayout> to = PrimitiveLayout.of(target);
    return from.isPresent() && to.isPresent()
        ? primitives(from.get(), to.get().kind(), elements, at, count)
        : others(elements, at, count);
  }

  /**
   * Converts numbers to the target type and checks their range in the same pass, each block while
   * it is in the processor's cache.
   *
   * @param source the numbers, from the first byte on
   * @param target receives the converted numbers, from its first byte on; unspecified if one is
   *     outside the range
   * @param count the number of numbers
   * @return the index of the first number outside the range, or -1
   */
  public long convert(MemorySegment source, MemorySegment target, long count) {
    return Converter.between(this.source, this.target)
        .open()
        .convertInside(this, source, target, count);
  }

  private static long primitives(
      PrimitiveLayout from, Kind to, MemorySegment elements, long at, long count) {
    PrimitiveLoader loader = new PrimitiveLoader(from);
    Workspace.Lanes lanes = new Workspace.Lanes();
    int size = from.kind().size;
    for (long done = 0; done < count; done += Workspace.LANE) {
      int n = (int) Math.min(Workspace.LANE, count - done);
      loader.loadPacked(elements, at + done * size, lanes, n);
      int outside = firstOutside(from.kind(), to, lanes, n);
      if (outside >= 0) {
        return done + outside;
      }
    }
    return -1;
  }

  /**
   * {@return the index of the first number in a lane that is outside the range of a kind, or -1}
   *
   * @param from the kind of the numbers, which determines the lane
   * @param to the kind whose range is required
   * @param lanes the lanes, which hold the numbers
   * @param n the number of numbers
   */
  static int firstOutside(Kind from, Kind to, Workspace.Lanes lanes, int n) {
    if (allInside(from.carrier, to, lanes, n)) {
      return -1;
    }
    for (int i = 0; i < n; i++) {
      boolean inside =
          switch (from.carrier) {
            case INT -> holds(to, (long) lanes.ints[i]);
            case LONG -> holds(to, lanes.longs[i]);
            case UNSIGNED_LONG -> holdsUnsigned(to, lanes.longs[i]);
            case FLOAT -> holds(to, (double) lanes.floats[i]);
            case DOUBLE -> holds(to, lanes.doubles[i]);
          };
      if (!inside) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns true if all numbers are certainly inside, the usual case, which is tested by loops
   * without branches.
   */
  private static boolean allInside(Carrier carrier, Kind to, Workspace.Lanes lanes, int n) {
    boolean integer = to.carrier == Carrier.INT || to.carrier == Carrier.LONG;
    boolean real = to.carrier == Carrier.FLOAT || to.carrier == Carrier.DOUBLE;
    return switch (carrier) {
      case INT -> integersInside(to, lanes.ints, n);
      case LONG ->
          integer ? allFrom(lanes.longs, n, to.least, to) : integersInside(to, lanes.longs, n);
      case UNSIGNED_LONG -> integer && allFrom(lanes.longs, n, 0, to);
      case FLOAT -> !real && allBetween(lanes.floats, n, below(to), above(to));
      case DOUBLE ->
          real
              ? allInfiniteOrUpTo(greatest(to), lanes, n)
              : allBetween(lanes.doubles, n, below(to), above(to));
    };
  }

  private static boolean integersInside(Kind to, int[] lane, int n) {
    int least = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    for (int i = 0; i < n; i++) {
      least = Math.min(least, lane[i]);
      greatest = Math.max(greatest, lane[i]);
    }
    return holds(to, (long) least) && holds(to, (long) greatest);
  }

  private static boolean integersInside(Kind to, long[] lane, int n) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < n; i++) {
      least = Math.min(least, lane[i]);
      greatest = Math.max(greatest, lane[i]);
    }
    return holds(to, least) && holds(to, greatest);
  }

  /**
   * Returns whether all numbers are from {@code least} to less than {@code least} plus the power of
   * two that is the size of the kind's range.
   */
  private static boolean allFrom(long[] lane, int n, long least, Kind to) {
    long excess = 0;
    for (int i = 0; i < n; i++) {
      excess |= lane[i] - least;
    }
    return (excess & ~(to.greatest - least)) == 0;
  }

  private static boolean allBetween(float[] lane, int n, double below, double above) {
    boolean inside = true;
    for (int i = 0; i < n; i++) {
      inside &= lane[i] > below & lane[i] < above;
    }
    return inside;
  }

  private static boolean allBetween(double[] lane, int n, double below, double above) {
    boolean inside = true;
    for (int i = 0; i < n; i++) {
      inside &= lane[i] > below & lane[i] < above;
    }
    return inside;
  }

  /**
   * Returns whether no double is finite with a magnitude greater than {@code greatest}. Magnitudes
   * have the order of their bits, and the compiler can vectorize a loop over an array of bits.
   */
  private static boolean allInfiniteOrUpTo(double greatest, Workspace.Lanes lanes, int n) {
    MemorySegment doubles = MemorySegment.ofArray(lanes.doubles);
    MemorySegment.copy(doubles, ValueLayout.JAVA_LONG, 0, lanes.longs, 0, n);
    long most = Double.doubleToRawLongBits(greatest);
    long infinite = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    long outside = 0;
    for (int i = 0; i < n; i++) {
      long bits = lanes.longs[i] & Long.MAX_VALUE;
      outside |= (most - bits) & (bits - infinite); // both negative
    }
    return outside >= 0;
  }

  private static boolean holds(Kind to, long value) {
    return switch (to.carrier) {
      case INT, LONG -> value >= to.least && value <= to.greatest;
      case UNSIGNED_LONG -> value >= 0;
      case FLOAT, DOUBLE -> Math.abs((double) value) <= greatest(to);
    };
  }

  private static boolean holdsUnsigned(Kind to, long value) {
    return switch (to.carrier) {
      case INT, LONG -> value >= 0 && value <= to.greatest;
      case UNSIGNED_LONG -> true;
      case FLOAT, DOUBLE -> (value < 0 ? 0x1p63 : value) <= greatest(to);
    };
  }

  private static boolean holds(Kind to, double value) {
    return switch (to.carrier) {
      case INT, LONG, UNSIGNED_LONG -> value > below(to) && value < above(to);
      case FLOAT, DOUBLE -> !(Math.abs(value) > greatest(to)) || Double.isInfinite(value);
    };
  }

  /** Returns the greatest number, without its fraction, that is too small for an integer kind. */
  private static double below(Kind to) {
    return to == Kind.I64 ? Math.nextDown(-0x1p63) : to.least - 1.0;
  }

  /** Returns the least number that is too large for an integer kind. */
  private static double above(Kind to) {
    return to == Kind.I64 ? 0x1p63 : to == Kind.U64 ? 0x1p64 : to.greatest + 1.0;
  }

  /** Returns the greatest finite number of a floating-point kind. */
  private static double greatest(Kind kind) {
    return switch (kind) {
      case F16 -> 65504;
      case BF16 -> Float.intBitsToFloat(0x7F7F_0000);
      case F32 -> Float.MAX_VALUE;
      default -> Double.MAX_VALUE;
    };
  }

  private long others(MemorySegment elements, long at, long count) {
    NumberFormat from = NumberFormat.of(source);
    NumberFormat to = NumberFormat.of(target);
    byte[] element = new byte[source.size()];
    WideNumber real = new WideNumber();
    for (long i = 0; i < count; i++) {
      MemorySegment.copy(
          elements, ValueLayout.JAVA_BYTE, at + i * element.length, element, 0, element.length);
      from.read(element, 0, real);
      if (!to.holds(real)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * {@return a number as text, for error messages}
   *
   * @param elements the elements
   * @param at the byte offset of the element
   * @param index the index of the element, counted from 0
   */
  public String text(MemorySegment elements, long at, long index) {
    NumberCodec codec = NumberCodec.of(source);
    long place = at + index * source.size();
    return source instanceof FloatType
        ? Double.toString(codec.getDouble(elements, place))
        : codec.getBigInteger(elements, place).toString();
  }
}
