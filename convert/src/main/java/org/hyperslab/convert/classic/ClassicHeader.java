package org.hyperslab.convert.classic;

import java.util.List;
import org.hyperslab.convert.model.ClassicType;

/**
 * The header of a classic netCDF file, which has this grammar:
 *
 * <pre>
 * header  = 'C' 'D' 'F' version, numrecs, dimensions, attributes, variables
 * list    = tag (4 bytes: 10 dimension, 11 variable, 12 attribute; 0 if empty), count, elements
 * name    = length, UTF-8, padded by NUL to 4 bytes
 * dimension = name, length (0: the record dimension)
 * attribute = name, type (4 bytes), count, values padded by NUL to 4 bytes
 * variable  = name, count of dimensions, their numbers, attributes, type, vsize, begin
 * </pre>
 *
 * <p>Counts, lengths, numbers of dimensions and vsize have 4 bytes (8 in CDF-5); begin has 4 bytes
 * in CDF-1 and otherwise 8. Numbers are big-endian.
 *
 * @param version 1, 2 or 5
 * @param records the number of records
 * @param dimensions the dimensions
 * @param attributes the attributes of the file
 * @param variables the variables
 */
record ClassicHeader(
    int version,
    long records,
    List<Axis> dimensions,
    List<Text> attributes,
    List<Array> variables) {

  static final int DIMENSION_TAG = 10;
  static final int VARIABLE_TAG = 11;
  static final int ATTRIBUTE_TAG = 12;

  /**
   * A dimension of a classic file.
   *
   * @param name its name
   * @param length 0 for the record dimension
   */
  record Axis(String name, long length) {}

  /**
   * An attribute of the file or of a variable.
   *
   * @param name its name
   * @param type its type
   * @param values its elements, in the file's byte order
   */
  record Text(String name, ClassicType type, byte[] values) {}

  /**
   * A variable of a classic file.
   *
   * @param name its name
   * @param axes numbers of its dimensions
   * @param attributes its attributes
   * @param type its type
   * @param begin the position of its first element
   */
  record Array(
      String name, List<Integer> axes, List<Text> attributes, ClassicType type, long begin) {}

  /** Returns whether a variable has the record dimension. */
  boolean isRecord(Array variable) {
    return !variable.axes().isEmpty() && dimensions.get(variable.axes().getFirst()).length() == 0;
  }

  /** Returns the shape of a variable, or of one of its records if it has the record dimension. */
  long[] innerShape(Array variable) {
    return variable.axes().stream()
        .skip(isRecord(variable) ? 1 : 0)
        .mapToLong(axis -> dimensions.get(axis).length())
        .toArray();
  }

  /**
   * Returns the number of bytes of a variable, or of one of its records if it has the record
   * dimension, without padding.
   *
   * @throws ArithmeticException if the number exceeds 2^63 - 1
   */
  long innerBytes(Array variable) {
    long bytes = variable.type().size();
    for (long length : innerShape(variable)) {
      bytes = Math.multiplyExact(bytes, length);
    }
    return bytes;
  }

  /**
   * Returns the number of bytes from one record to the next. A record is not padded if there is
   * only one variable with records.
   *
   * @throws ArithmeticException if the number exceeds 2^63 - 1
   */
  long recordBytes() {
    List<Array> withRecords = variables.stream().filter(this::isRecord).toList();
    if (withRecords.size() == 1) {
      return innerBytes(withRecords.getFirst());
    }
    long bytes = 0;
    for (Array variable : withRecords) {
      bytes = Math.addExact(bytes, padded(innerBytes(variable)));
    }
    return bytes;
  }

  /** Rounds a length up to a multiple of 4. */
  static long padded(long bytes) {
    return Math.addExact(bytes, 3) / 4 * 4;
  }
}
