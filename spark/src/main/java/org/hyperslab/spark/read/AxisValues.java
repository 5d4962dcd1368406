package org.hyperslab.spark.read;

import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;
import org.hyperslab.Dataset;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.OpenSource;
import org.hyperslab.spark.table.Reading;

/**
 * Coordinates of a dimension, as the column of the table has them.
 *
 * <p>Thread rule: one thread.
 */
final class AxisValues {

  /** The longest dimension whose coordinates are compared while a query is planned. */
  static final long LONGEST = 1 << 24;

  private final WritableColumnVector vector;
  private final DataType type;

  private AxisValues(WritableColumnVector vector) {
    this.vector = vector;
    this.type = vector.dataType();
  }

  /**
   * Reads all coordinates of a dimension.
   *
   * @param opened the file
   * @param path the dataset
   * @param decode whether they are decoded
   * @throws InvalidUseException if there are more than {@link #LONGEST}
   */
  static AxisValues of(OpenSource opened, String path, boolean decode) {
    try (Dataset dataset = opened.file().dataset(path)) {
      long length = dataset.elementCount();
      if (length > LONGEST) {
        throw new InvalidUseException(
            "coordinates: actual="
                + length
                + ", expected<="
                + LONGEST
                + "; use coordinates=indexes, variable="
                + path
                + ", file="
                + opened.name());
      }
      Reading reading = Reading.whole(dataset, decode, opened.name());
      WritableColumnVector vector =
          new OnHeapColumnVector(Math.max(1, (int) length), reading.filler().sparkType());
      if (length > 0) {
        reading.read(Selection.box(new long[] {0}, new long[] {length}), (int) length);
        reading.fill(0, (int) length, vector, 0);
      }
      return new AxisValues(vector);
    }
  }

  /** Returns whether values of a type can be compared while a query is planned. */
  static boolean isComparable(DataType type) {
    return !(type instanceof DecimalType)
        && (type == DataTypes.StringType
            || type == DataTypes.TimestampNTZType
            || type instanceof NumericType);
  }

  /** Returns a coordinate: a Long, a Double, a UTF8String, or null. */
  Object get(int index) {
    if (vector.isNullAt(index)) {
      return null;
    }
    if (type == DataTypes.StringType) {
      return vector.getUTF8String(index).copy();
    }
    if (type == DataTypes.DoubleType) {
      return vector.getDouble(index);
    }
    if (type == DataTypes.FloatType) {
      return (double) vector.getFloat(index);
    }
    if (type == DataTypes.LongType || type == DataTypes.TimestampNTZType) {
      return vector.getLong(index);
    }
    if (type == DataTypes.IntegerType) {
      return (long) vector.getInt(index);
    }
    return type == DataTypes.ShortType
        ? (long) vector.getShort(index)
        : (long) vector.getByte(index);
  }
}
