package org.hyperslab.vol.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.jspecify.annotations.Nullable;

/** Tests of numbers: intervals and lists of values. Thread rule: their tests are immutable. */
final class NumberTests {

  private static final int WORD = Long.SIZE;

  private NumberTests() {}

  /**
   * Whether integers lie in an interval. Unsigned integers of 64 bits are compared with the sign
   * bit inverted, as are the ends of their interval.
   */
  record IntegersIn(Condition.Field field, FieldColumn column, long low, long high)
      implements ElementTest {

    @Override
    public void test(Elements elements, long[] marks) {
      long[] values = new long[WORD];
      long flip = flip(column);
      for (int first = 0; first < elements.count(); first += WORD) {
        int count = Math.min(WORD, elements.count() - first);
        column.integers(
            elements.segment(), first * elements.stride(), elements.stride(), values, count);
        long word = 0;
        for (int i = 0; i < count; i++) {
          long value = values[i] ^ flip;
          word |= (value >= low & value <= high ? 1L : 0L) << i;
        }
        marks[first / WORD] = word;
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      ValueSummary known = summaries.apply(field);
      if (known == null || low > high) {
        return known == null ? Verdict.SOME : Verdict.NONE;
      }
      Optional<Number> least = known.minimum();
      Optional<Number> greatest = known.maximum();
      if (least.isEmpty() || greatest.isEmpty()) {
        return Verdict.SOME;
      }
      long flip = flip(column);
      long minimum = least.get().longValue() ^ flip;
      long maximum = greatest.get().longValue() ^ flip;
      if (maximum < low || minimum > high) {
        return Verdict.NONE;
      }
      return minimum >= low && maximum <= high ? Verdict.ALL : Verdict.SOME;
    }
  }

  /** Whether integers are among some ascending values. */
  record IntegersAmong(Condition.Field field, FieldColumn column, long[] sorted)
      implements ElementTest {

    @Override
    public void test(Elements elements, long[] marks) {
      long[] values = new long[WORD];
      long flip = flip(column);
      for (int first = 0; first < elements.count(); first += WORD) {
        int count = Math.min(WORD, elements.count() - first);
        column.integers(
            elements.segment(), first * elements.stride(), elements.stride(), values, count);
        long word = 0;
        for (int i = 0; i < count; i++) {
          word |= (Arrays.binarySearch(sorted, values[i] ^ flip) >= 0 ? 1L : 0L) << i;
        }
        marks[first / WORD] = word;
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      if (sorted.length == 0) {
        return Verdict.NONE;
      }
      Verdict range =
          new IntegersIn(field, column, sorted[0], sorted[sorted.length - 1]).judge(summaries);
      return range == Verdict.NONE ? range : Verdict.SOME;
    }
  }

  /** Whether floating-point numbers lie in an interval; NaN does not. */
  record DoublesIn(Condition.Field field, FieldColumn column, double low, double high)
      implements ElementTest {

    @Override
    public void test(Elements elements, long[] marks) {
      double[] values = new double[WORD];
      for (int first = 0; first < elements.count(); first += WORD) {
        int count = Math.min(WORD, elements.count() - first);
        column.doubles(
            elements.segment(), first * elements.stride(), elements.stride(), values, count);
        long word = 0;
        for (int i = 0; i < count; i++) {
          word |= (values[i] >= low & values[i] <= high ? 1L : 0L) << i;
        }
        marks[first / WORD] = word;
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      ValueSummary known = summaries.apply(field);
      if (known == null) {
        return Verdict.SOME;
      }
      if (known.minimum().isEmpty() || known.maximum().isEmpty()) {
        return known.nanCount() == known.count() ? Verdict.NONE : Verdict.SOME;
      }
      double minimum = known.minimum().get().doubleValue();
      double maximum = known.maximum().get().doubleValue();
      if (maximum < low || minimum > high || !(low <= high)) {
        return Verdict.NONE;
      }
      boolean all = minimum >= low && maximum <= high && known.nanCount() == 0;
      return all ? Verdict.ALL : Verdict.SOME;
    }
  }

  /** Whether floating-point numbers are among some ascending values, which are not NaN. */
  record DoublesAmong(Condition.Field field, FieldColumn column, double[] sorted)
      implements ElementTest {

    @Override
    public void test(Elements elements, long[] marks) {
      double[] values = new double[WORD];
      for (int first = 0; first < elements.count(); first += WORD) {
        int count = Math.min(WORD, elements.count() - first);
        column.doubles(
            elements.segment(), first * elements.stride(), elements.stride(), values, count);
        long word = 0;
        for (int i = 0; i < count; i++) {
          // 0.0 + x makes the negative zero the positive one, which the list has
          word |= (Arrays.binarySearch(sorted, 0.0 + values[i]) >= 0 ? 1L : 0L) << i;
        }
        marks[first / WORD] = word;
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      if (sorted.length == 0) {
        return Verdict.NONE;
      }
      Verdict range =
          new DoublesIn(field, column, sorted[0], sorted[sorted.length - 1]).judge(summaries);
      return range == Verdict.NONE ? range : Verdict.SOME;
    }
  }

  /** Whether floating-point numbers are NaN. */
  record Nans(Condition.Field field, FieldColumn column) implements ElementTest {

    @Override
    public void test(Elements elements, long[] marks) {
      double[] values = new double[WORD];
      for (int first = 0; first < elements.count(); first += WORD) {
        int count = Math.min(WORD, elements.count() - first);
        column.doubles(
            elements.segment(), first * elements.stride(), elements.stride(), values, count);
        long word = 0;
        for (int i = 0; i < count; i++) {
          word |= (Double.isNaN(values[i]) ? 1L : 0L) << i;
        }
        marks[first / WORD] = word;
      }
    }

    @Override
    public Verdict judge(Function<Condition.Field, @Nullable ValueSummary> summaries) {
      ValueSummary known = summaries.apply(field);
      if (known == null) {
        return Verdict.SOME;
      }
      if (known.nanCount() == 0) {
        return Verdict.NONE;
      }
      return known.nanCount() == known.count() ? Verdict.ALL : Verdict.SOME;
    }
  }

  /** Returns the bits to invert in integers so that they compare as signed numbers. */
  static long flip(FieldColumn column) {
    return column.form() == FieldColumn.Form.U64 ? Long.MIN_VALUE : 0;
  }

  // --- intervals ---

  /** Returns the test of a comparison of integers with a number or an infinity. */
  static ElementTest integers(
      Condition.Field field, FieldColumn column, Condition.Relation relation, Object constant) {
    if (constant instanceof Double infinite) {
      boolean all =
          infinite > 0
              ? relation == Condition.Relation.BELOW || relation == Condition.Relation.AT_MOST
              : relation == Condition.Relation.ABOVE || relation == Condition.Relation.AT_LEAST;
      return all ? interval(field, column, null, null) : new IntegersIn(field, column, 1, 0);
    }
    BigDecimal number = (BigDecimal) constant;
    BigInteger floor = floor(number);
    boolean whole = new BigDecimal(floor).compareTo(number) == 0;
    BigInteger ceiling = whole ? floor : floor.add(BigInteger.ONE);
    return switch (relation) {
      case EQUAL ->
          whole ? interval(field, column, floor, floor) : new IntegersIn(field, column, 1, 0);
      case BELOW -> interval(field, column, null, ceiling.subtract(BigInteger.ONE));
      case AT_MOST -> interval(field, column, null, floor);
      case ABOVE -> interval(field, column, floor.add(BigInteger.ONE), null);
      case AT_LEAST -> interval(field, column, ceiling, null);
      case NOT_EQUAL -> throw new IllegalArgumentException("made by negation");
    };
  }

  private static BigInteger floor(BigDecimal number) {
    return number.setScale(0, RoundingMode.FLOOR).toBigInteger();
  }

  /** Returns the test of an interval, without an end where there is null. */
  private static ElementTest interval(
      Condition.Field field,
      FieldColumn column,
      @Nullable BigInteger low,
      @Nullable BigInteger high) {
    boolean unsigned = column.form() == FieldColumn.Form.U64;
    BigInteger least = unsigned ? BigInteger.ZERO : BigInteger.valueOf(Long.MIN_VALUE);
    BigInteger greatest = least.add(BigInteger.ONE.shiftLeft(64)).subtract(BigInteger.ONE);
    BigInteger from = low == null ? least : low.max(least);
    BigInteger to = high == null ? greatest : high.min(greatest);
    if (from.compareTo(to) > 0) {
      return new IntegersIn(field, column, 1, 0);
    }
    long flip = flip(column);
    return new IntegersIn(field, column, from.longValue() ^ flip, to.longValue() ^ flip);
  }

  /** Returns the integer that equals a constant, in the order of comparison; null if none does. */
  static @Nullable Long integer(FieldColumn column, Object constant) {
    if (integers(Condition.value(), column, Condition.Relation.EQUAL, constant)
            instanceof IntegersIn(var _, var _, long low, long high)
        && low == high) {
      return low;
    }
    return null;
  }

  /** Returns the test of a comparison of floating-point numbers with a constant. */
  static ElementTest doubles(
      Condition.Field field, FieldColumn column, Condition.Relation relation, Object constant) {
    double number = nearest(column, constant);
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    return switch (relation) {
      case EQUAL -> new DoublesIn(field, column, number, number);
      case BELOW ->
          number == low
              ? new DoublesIn(field, column, high, low)
              : new DoublesIn(field, column, low, Math.nextDown(number));
      case AT_MOST -> new DoublesIn(field, column, low, number);
      case ABOVE ->
          number == high
              ? new DoublesIn(field, column, high, low)
              : new DoublesIn(field, column, Math.nextUp(number), high);
      case AT_LEAST -> new DoublesIn(field, column, number, high);
      case NOT_EQUAL -> throw new IllegalArgumentException("made by negation");
    };
  }

  /** Returns the number of the elements' own type that is nearest to a constant. */
  static double nearest(FieldColumn column, Object constant) {
    double number = ((Number) constant).doubleValue();
    return switch (column.form()) {
      case F16 -> Float.float16ToFloat(Float.floatToFloat16((float) number));
      case F32 -> (float) number;
      default -> number;
    };
  }
}
