package org.hyperslab.netcdf;

import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.netcdf.time.CfDateTime;
import org.hyperslab.netcdf.time.CfTime;

/**
 * Finds indexes of an axis by the values of its coordinate variable.
 *
 * <p>Coordinates are compared by their differences to the value that is sought: numbers after
 * decoding, dates in microseconds. Missing coordinates differ by NaN, which nothing equals.
 *
 * <p>Thread rule: immutable.
 */
final class CoordinateSelection {

  private final String name;
  private final String path;
  private final Coordinates part;

  /** A part of a coordinate variable, in each form in which values are sought. */
  interface Coordinates {

    /** Returns the coordinates of a variable of strings. */
    String[] texts();

    /** Returns the coordinates as numbers; NaN for missing ones. */
    double[] numbers();

    /** Returns the unit and calendar of the coordinates. */
    CfTime time();

    /** Returns the coordinates as dates; null for missing ones. */
    CfDateTime[] dates();
  }

  /**
   * Creates a selection.
   *
   * @param name the name of the dimension
   * @param path the path of the coordinate variable, for messages
   * @param part the part of the coordinate variable that the section has
   */
  CoordinateSelection(String name, String path, Coordinates part) {
    this.name = name;
    this.path = path;
    this.part = part;
  }

  /** Returns the index of the coordinate that equals a value. */
  int exact(Object value) {
    if (value instanceof String text) {
      return only(List.of(part.texts()).indexOf(text), value);
    }
    double[] differences = differences(value);
    return only(first(differences.length, i -> differences[i] == 0), value);
  }

  private int only(int index, Object value) {
    if (index < 0) {
      throw new NotFoundException(
          "coordinate of "
              + name
              + ": actual=none equals "
              + value
              + ", expected=a coordinate"
              + (value instanceof String ? "" : "; nearest() takes the closest one")
              + ", at="
              + path);
    }
    return index;
  }

  /** Returns the index of the coordinate closest to a value; of two, the larger coordinate. */
  int nearest(Object value, double tolerance) {
    double[] differences = differences(value);
    int best = -1;
    for (int i = 0; i < differences.length; i++) {
      double distance = Math.abs(differences[i]);
      double least = best < 0 ? Double.POSITIVE_INFINITY : Math.abs(differences[best]);
      if (distance < least
          || distance == least && best >= 0 && differences[i] > differences[best]) {
        best = i;
      }
    }
    if (best < 0 || Math.abs(differences[best]) > tolerance) {
      throw new NotFoundException(
          "coordinate of "
              + name
              + ": actual=none within "
              + tolerance
              + " of "
              + value
              + (best < 0 ? "" : "; the closest is " + Math.abs(differences[best]) + " away")
              + ", expected=a closer one, at="
              + path);
    }
    return best;
  }

  /** Returns the indexes, first and count, of the coordinates between two values. */
  int[] between(Object least, Object most) {
    double[] above = differences(least);
    double[] below = differences(most);
    IntPredicate within = i -> above[i] >= 0 && below[i] <= 0;
    int first = first(above.length, within);
    if (first < 0) {
      return new int[] {0, 0};
    }
    int count = (int) IntStream.range(0, above.length).filter(within).count();
    int end = first;
    while (end < above.length && within.test(end)) {
      end++;
    }
    if (end - first != count) {
      throw new InvalidUseException(
          "coordinates of "
              + name
              + ": actual="
              + count
              + " between "
              + least
              + " and "
              + most
              + " that do not follow each other, expected=coordinates in order, at="
              + path);
    }
    return new int[] {first, count};
  }

  private static int first(int length, IntPredicate found) {
    return IntStream.range(0, length).filter(found).findFirst().orElse(-1);
  }

  private double[] differences(Object value) {
    if (value instanceof Number number) {
      double sought = number.doubleValue();
      return Arrays.stream(part.numbers()).map(c -> c - sought).toArray();
    }
    if (!(value instanceof LocalDateTime) && !(value instanceof CfDateTime)) {
      throw new InvalidUseException(
          "coordinate of "
              + name
              + ": actual="
              + (value == null ? "null" : value.getClass().getSimpleName())
              + ", expected=a number, a LocalDateTime or CfDateTime, or with at() a String, at="
              + path);
    }
    CfTime time = part.time();
    CfDateTime sought =
        value instanceof LocalDateTime local
            ? CfDateTime.of(time.calendar(), local)
            : (CfDateTime) value;
    return Arrays.stream(part.dates())
        .mapToDouble(date -> date == null ? Double.NaN : date.microsSince(sought))
        .toArray();
  }
}
