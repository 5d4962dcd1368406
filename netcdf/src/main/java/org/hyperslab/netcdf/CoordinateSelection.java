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
  private final NetcdfVariable coordinate;

  /** The part of the coordinate variable that the section has. */
  private final NetcdfSection part;

  private CoordinateSelection(String name, NetcdfVariable coordinate, NetcdfSection part) {
    this.name = name;
    this.coordinate = coordinate;
    this.part = part;
  }

  /** Returns the axis of a variable that has a dimension. */
  static int axis(NetcdfVariable variable, String dimension) {
    List<String> names = variable.dimensions().stream().map(NetcdfDimension::name).toList();
    int axis = names.indexOf(dimension);
    if (axis < 0 || axis != names.lastIndexOf(dimension)) {
      throw new NotFoundException(
          "dimension: actual="
              + dimension
              + (axis < 0 ? ", expected=one of " : ", twice, expected=one that occurs once of ")
              + names
              + ", at="
              + variable.path());
    }
    return axis;
  }

  /** Returns the coordinates of an axis, from an index on, with a count and a stride. */
  static CoordinateSelection of(NetcdfVariable variable, int axis, long[] part) {
    NetcdfDimension dimension = variable.dimensions().get(axis);
    NetcdfVariable coordinate =
        dimension
            .coordinate()
            .filter(found -> found.dimensions().size() == 1)
            .orElseThrow(() ->
                new NotFoundException(
                    "coordinates: actual=the dimension "
                        + dimension.name()
                        + " has no variable of its name and axis, expected=one; select by index"
                        + " with section(origin, shape), at="
                        + variable.path()));
    NetcdfSection section =
        coordinate.section(new long[] {part[0]}, new long[] {part[1]}, new long[] {part[2]});
    return new CoordinateSelection(dimension.name(), coordinate, section);
  }

  /** Returns the index of the coordinate that equals a value. */
  int exact(Object value) {
    if (value instanceof String text) {
      return only(List.of(part.read(String[].class)).indexOf(text), value);
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
              + coordinate.path());
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
              + coordinate.path());
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
              + coordinate.path());
    }
    return new int[] {first, count};
  }

  private static int first(int length, IntPredicate found) {
    return IntStream.range(0, length).filter(found).findFirst().orElse(-1);
  }

  private double[] differences(Object value) {
    if (value instanceof Number number) {
      double sought = number.doubleValue();
      return Arrays.stream(part.decoded().read(double[].class)).map(c -> c - sought).toArray();
    }
    if (!(value instanceof LocalDateTime) && !(value instanceof CfDateTime)) {
      throw new InvalidUseException(
          "coordinate of "
              + name
              + ": actual="
              + (value == null ? "null" : value.getClass().getSimpleName())
              + ", expected=a number, a LocalDateTime or CfDateTime, or with at() a String, at="
              + coordinate.path());
    }
    CfTime time = coordinate.time();
    CfDateTime sought =
        value instanceof LocalDateTime local
            ? CfDateTime.of(time.calendar(), local)
            : (CfDateTime) value;
    return Arrays.stream(part.decoded().readCfTimes())
        .mapToDouble(date -> date == null ? Double.NaN : date.microsSince(sought))
        .toArray();
  }
}
