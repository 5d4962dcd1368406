package org.hyperslab.vol.query;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.ValueSummary;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the numbers of a field of some elements.
 *
 * <p>Thread rule: immutable; any thread.
 */
public final class Summarizer {

  private static final int BLOCK = 1024;

  /** Half of a long, by which sums of longs are kept without overflow. */
  private static final int HALF = 32;

  private final FieldColumn column;
  private final Datatype memoryType;

  /** The bits of the fill value: of the integer, or of the double. */
  private final long fill;

  private final boolean hasFill;

  private Summarizer(FieldColumn column, Datatype memoryType, @Nullable Object fill) {
    this.column = column;
    this.memoryType = memoryType;
    this.hasFill = fill != null;
    this.fill = bits(column, fill);
  }

  /**
   * {@return what summarizes a field}
   *
   * @param field the field
   * @param stored the type of the elements as stored
   * @param fill the fill value of the dataset
   * @throws InvalidUseException if it does not exist, or has no numbers
   */
  public static Summarizer of(Condition.Field field, Datatype stored, FillValue fill) {
    Columns columns = new Columns(stored);
    columns.require(field);
    Datatype memoryType = columns.memoryType();
    FieldColumn column = columns.of(field);
    if (column.form().isText()) {
      throw new InvalidUseException(
          "field "
              + field
              + ": actual="
              + column.stored().describe()
              + ", expected=numbers, which have a minimum and a sum");
    }
    Object constant = new FillConstants(fill).of(field, column).orElse(null);
    return new Summarizer(column, memoryType, constant);
  }

  /**
   * {@return what summarizes a field in the bytes of elements as they are stored; empty if they
   * must be converted}
   *
   * @param field the field, as for {@link #of}
   * @param stored the type of the elements as stored
   * @param fill the fill value of the dataset
   */
  public static Optional<Summarizer> inPlace(
      Condition.Field field, Datatype stored, FillValue fill) {
    Summarizer converted = of(field, stored, fill);
    FieldColumn column = converted.column;
    if (!column.type().equals(column.stored())) {
      return Optional.empty();
    }
    long offset = 0;
    Datatype type = stored;
    if (stored instanceof CompoundType) {
      for (String name : field.names()) {
        CompoundType.Member member = ((CompoundType) type).member(name).orElseThrow();
        offset += member.offset();
        type = member.type();
      }
    }
    Object constant = new FillConstants(fill).of(field, column).orElse(null);
    return Optional.of(new Summarizer(column.at(offset), stored, constant));
  }

  private static long bits(FieldColumn column, @Nullable Object fill) {
    if (fill == null) {
      return 0;
    }
    if (column.form().isFloating()) {
      return Double.doubleToLongBits(0.0 + NumberTests.nearest(column, fill));
    }
    Long value = fill instanceof Double ? null : NumberTests.integer(column, fill);
    return value == null ? 0 : value;
  }

  /** {@return the type in which the elements are read: the field alone} */
  public Datatype memoryType() {
    return memoryType;
  }

  /**
   * {@return the summary of elements}
   *
   * @param segment the elements, of the type {@link #memoryType}
   * @param count how many
   * @param elementsRead how many of them count as read
   */
  public ValueSummary of(MemorySegment segment, int count, long elementsRead) {
    return column.form().isFloating()
        ? doubles(segment, count, elementsRead)
        : integers(segment, count, elementsRead);
  }

  private ValueSummary doubles(MemorySegment segment, int count, long elementsRead) {
    double[] values = new double[BLOCK];
    long stride = memoryType.size();
    DoubleTotals totals = new DoubleTotals(Double.longBitsToDouble(fill));
    for (int first = 0; first < count; first += BLOCK) {
      int length = Math.min(BLOCK, count - first);
      column.doubles(segment, first * stride, stride, values, length);
      totals.add(values, length);
    }
    boolean any = totals.nans < count;
    boolean nanIsFill = Double.isNaN(totals.fill);
    return new ValueSummary(
        count,
        !hasFill ? 0 : nanIsFill ? totals.nans : totals.fills,
        totals.nans,
        any ? Optional.of(0.0 + totals.low) : Optional.empty(),
        any ? Optional.of(0.0 + totals.high) : Optional.empty(),
        totals.sum,
        elementsRead);
  }

  /** The totals of floating-point numbers. Thread rule: confined to one thread. */
  private static final class DoubleTotals {
    private final double fill;
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;
    private double sum;
    private long nans;
    private long fills;

    DoubleTotals(double fill) {
      this.fill = fill;
    }

    void add(double[] values, int length) {
      double part = length == BLOCK ? wholeBlock(values) : Double.NaN;
      if (Double.isNaN(part)) {
        part = oneByOne(values, length); // there may be NaN, or infinities of both signs
      }
      sum += part;
    }

    /**
     * Adds a block without NaN, by two chains of additions, and returns its sum; NaN if there may
     * be NaN, and then nothing is added.
     */
    private double wholeBlock(double[] values) {
      double evenSum = 0;
      double oddSum = 0;
      double least = values[0];
      double greatest = least;
      int equal = 0;
      for (int i = 0; i < BLOCK; i += 2) {
        double even = values[i];
        double odd = values[i + 1];
        evenSum += even;
        oddSum += odd;
        double lower = even < odd ? even : odd;
        double higher = even < odd ? odd : even;
        if (lower < least) {
          least = lower;
        }
        if (higher > greatest) {
          greatest = higher;
        }
        equal += (even == fill ? 1 : 0) + (odd == fill ? 1 : 0);
      }
      double total = evenSum + oddSum;
      if (!Double.isNaN(total)) {
        low = Math.min(low, least);
        high = Math.max(high, greatest);
        fills += equal;
      }
      return total;
    }

    private double oneByOne(double[] values, int length) {
      double part = 0;
      for (int i = 0; i < length; i++) {
        double value = values[i];
        if (Double.isNaN(value)) {
          nans++;
        } else {
          part += value;
          low = value < low ? value : low;
          high = value > high ? value : high;
          fills += value == fill ? 1 : 0;
        }
      }
      return part;
    }
  }

  private ValueSummary integers(MemorySegment segment, int count, long elementsRead) {
    long[] values = new long[BLOCK];
    long stride = memoryType.size();
    long flip = NumberTests.flip(column);
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    long lowHalves = 0;
    long highHalves = 0;
    long fills = 0;
    for (int first = 0; first < count; first += BLOCK) {
      int length = Math.min(BLOCK, count - first);
      column.integers(segment, first * stride, stride, values, length);
      for (int i = 0; i < length; i++) {
        long value = values[i] ^ flip;
        low = Math.min(low, value);
        high = Math.max(high, value);
        lowHalves += value & 0xFFFFFFFFL;
        highHalves += value >> HALF;
        fills += value == fill ? 1 : 0;
      }
    }
    BigInteger sum =
        BigInteger.valueOf(highHalves).shiftLeft(HALF).add(BigInteger.valueOf(lowHalves));
    if (flip != 0) {
      sum = sum.add(BigInteger.valueOf(count).shiftLeft(63));
    }
    return new ValueSummary(
        count,
        hasFill ? fills : 0,
        0,
        count == 0 ? Optional.empty() : Optional.of(number(low, flip)),
        count == 0 ? Optional.empty() : Optional.of(number(high, flip)),
        ValueSummary.whole(sum),
        elementsRead);
  }

  private static Number number(long value, long flip) {
    long bits = value ^ flip;
    return flip == 0 || bits >= 0 ? (Number) bits : new BigInteger(Long.toUnsignedString(bits));
  }

  /** {@return the summary of no elements} */
  public ValueSummary nothing() {
    return of(MemorySegment.NULL, 0, 0);
  }
}
