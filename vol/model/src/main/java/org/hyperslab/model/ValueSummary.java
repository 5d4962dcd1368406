package org.hyperslab.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the values of a dataset, or of a member of its compound elements, are like as a whole.
 *
 * <p>NaN counts as an element, but not for minimum, maximum, sum and mean, as in NumPy's {@code
 * nanmin}; fill values are values like others. Minimum, maximum and sum of integers, enumerations
 * and bitfields are exact, and are of the class Long, or BigInteger if it does not hold them; those
 * of floating-point numbers are of the class Double. Sums of floating-point numbers are computed in
 * double precision, in no defined order.
 *
 * <p>Thread rule: immutable.
 *
 * @param count the number of elements
 * @param fillCount the number of elements that are the dataset's fill value
 * @param nanCount the number of NaN
 * @param minimum the least value; empty if there is none
 * @param maximum the greatest value; empty if there is none
 * @param sum the sum of the values; 0 if there is none
 * @param elementsRead how many elements were read to find this; 0 if statistics told all
 * @since 0.2
 */
public record ValueSummary(
    long count,
    long fillCount,
    long nanCount,
    Optional<Number> minimum,
    Optional<Number> maximum,
    Number sum,
    long elementsRead) {

  /** {@return the sum of the values divided by their number; empty if there is none} */
  public OptionalDouble mean() {
    long values = count - nanCount;
    if (values == 0) {
      return OptionalDouble.empty();
    }
    if (sum instanceof Double total) {
      return OptionalDouble.of(total / values);
    }
    BigDecimal total = new BigDecimal(new BigInteger(sum.toString()));
    return OptionalDouble.of(
        total.divide(BigDecimal.valueOf(values), MathContext.DECIMAL128).doubleValue());
  }

  /**
   * {@return the summary of these values and of others of the same type}
   *
   * @param other the summary of the others
   */
  public ValueSummary with(ValueSummary other) {
    return new ValueSummary(
        count + other.count,
        fillCount + other.fillCount,
        nanCount + other.nanCount,
        extreme(minimum, other.minimum, -1),
        extreme(maximum, other.maximum, 1),
        total(sum, other.sum),
        elementsRead + other.elementsRead);
  }

  private static Optional<Number> extreme(Optional<Number> a, Optional<Number> b, int sign) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    return compare(a.get(), b.get()) * sign >= 0 ? a : b;
  }

  private static int compare(Number a, Number b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Long.compare(x, y);
    }
    return a instanceof Double || b instanceof Double
        ? Double.compare(a.doubleValue(), b.doubleValue())
        : new BigInteger(a.toString()).compareTo(new BigInteger(b.toString()));
  }

  private static Number total(Number a, Number b) {
    return a instanceof Double || b instanceof Double
        ? (Number) (a.doubleValue() + b.doubleValue())
        : whole(new BigInteger(a.toString()).add(new BigInteger(b.toString())));
  }

  /**
   * {@return a whole number as a Long, or as it is if that does not hold it}
   *
   * @param number the number
   */
  public static Number whole(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
  }
}
