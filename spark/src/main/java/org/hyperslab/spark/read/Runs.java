package org.hyperslab.spark.read;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.hyperslab.error.UnsupportedFeatureException;

/** Copies coordinates to the rows that they belong to. */
final class Runs {

  private Runs() {}

  /** Copies one value to several rows. */
  static void repeat(
      WritableColumnVector from, int index, WritableColumnVector to, int row, int count) {
    if (from.isNullAt(index)) {
      to.putNulls(row, count);
      return;
    }
    switch (from.dataType()) {
      case LongType _, TimestampNTZType _ -> to.putLongs(row, count, from.getLong(index));
      case DoubleType _ -> to.putDoubles(row, count, from.getDouble(index));
      case FloatType _ -> to.putFloats(row, count, from.getFloat(index));
      case IntegerType _ -> to.putInts(row, count, from.getInt(index));
      case ShortType _ -> to.putShorts(row, count, from.getShort(index));
      case ByteType _ -> to.putBytes(row, count, from.getByte(index));
      case BooleanType _ -> to.putBooleans(row, count, from.getBoolean(index));
      case StringType _ -> {
        byte[] text = from.getBinary(index);
        int place = to.putByteArray(row, text, 0, text.length);
        for (int i = 1; i < count; i++) {
          to.putArray(row + i, place, text.length);
        }
      }
      case DataType type -> throw refused(type);
    }
  }

  /** Copies successive values to successive rows. */
  static void copy(
      WritableColumnVector from, int first, WritableColumnVector to, int row, int count) {
    if (from.hasNull()) {
      for (int i = 0; i < count; i++) {
        repeat(from, first + i, to, row + i, 1);
      }
      return;
    }
    switch (from.dataType()) {
      case LongType _, TimestampNTZType _ -> {
        for (int i = 0; i < count; i++) {
          to.putLong(row + i, from.getLong(first + i));
        }
      }
      case DoubleType _ -> {
        for (int i = 0; i < count; i++) {
          to.putDouble(row + i, from.getDouble(first + i));
        }
      }
      case FloatType _ -> {
        for (int i = 0; i < count; i++) {
          to.putFloat(row + i, from.getFloat(first + i));
        }
      }
      case IntegerType _ -> {
        for (int i = 0; i < count; i++) {
          to.putInt(row + i, from.getInt(first + i));
        }
      }
      case DataType _ -> {
        for (int i = 0; i < count; i++) {
          repeat(from, first + i, to, row + i, 1);
        }
      }
    }
  }

  private static UnsupportedFeatureException refused(DataType type) {
    return new UnsupportedFeatureException(
        "coordinates: actual="
            + type.simpleString()
            + ", expected=numbers, strings or times; use coordinates=indexes");
  }
}
