package org.hyperslab.spark.write;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.netcdf.NetcdfTypes;

/**
 * A column as a variable: numbers as they are, booleans as 0 and 1, dates as days and times as
 * microseconds since 1970. Null is the default fill value of netCDF, or NaN.
 *
 * <p>Thread rule: immutable.
 *
 * @param name the name of the column and the variable
 * @param kind how values are stored
 * @param units the attribute {@code units}; null for none
 */
record StoredColumn(String name, Kind kind, String units) implements Serializable {

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  /** How values are stored. */
  enum Kind {
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8);

    private final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the variable of a column; empty for types that arrays of numbers cannot hold. */
  static Optional<StoredColumn> of(String name, DataType type) {
    String days = "days since 1970-01-01";
    String micros = "microseconds since 1970-01-01";
    return switch (type) {
      case BooleanType _, ByteType _ -> Optional.of(new StoredColumn(name, Kind.BYTE, null));
      case ShortType _ -> Optional.of(new StoredColumn(name, Kind.SHORT, null));
      case IntegerType _ -> Optional.of(new StoredColumn(name, Kind.INT, null));
      case LongType _ -> Optional.of(new StoredColumn(name, Kind.LONG, null));
      case FloatType _ -> Optional.of(new StoredColumn(name, Kind.FLOAT, null));
      case DoubleType _ -> Optional.of(new StoredColumn(name, Kind.DOUBLE, null));
      case DateType _ -> Optional.of(new StoredColumn(name, Kind.INT, days));
      case TimestampType _, TimestampNTZType _ ->
          Optional.of(new StoredColumn(name, Kind.LONG, micros));
      case DataType _ -> Optional.empty();
    };
  }

  Datatype type() {
    return switch (kind) {
      case BYTE -> NetcdfTypes.BYTE;
      case SHORT -> NetcdfTypes.SHORT;
      case INT -> NetcdfTypes.INT;
      case LONG -> NetcdfTypes.INT64;
      case FLOAT -> NetcdfTypes.FLOAT;
      case DOUBLE -> NetcdfTypes.DOUBLE;
    };
  }

  /** Returns the value that stands for null. */
  Number fill() {
    return switch (kind) {
      case BYTE -> (byte) -127;
      case SHORT -> (short) -32767;
      case INT -> -2147483647;
      case LONG -> -9223372036854775806L;
      case FLOAT -> Float.NaN;
      case DOUBLE -> Double.NaN;
    };
  }

  /** Stores the value that stands for null in an element of an array. */
  void putFill(byte[] to, int element) {
    put(fill(), to, element);
  }

  /** Stores a value of a row. */
  void put(InternalRow row, int column, DataType type, byte[] to, int element) {
    if (row.isNullAt(column)) {
      return;
    }
    Number value =
        switch (kind) {
          case BYTE ->
              type instanceof BooleanType
                  ? (byte) (row.getBoolean(column) ? 1 : 0)
                  : row.getByte(column);
          case SHORT -> row.getShort(column);
          case INT -> row.getInt(column);
          case LONG -> row.getLong(column);
          case FLOAT -> row.getFloat(column);
          case DOUBLE -> row.getDouble(column);
        };
    boolean isFill = kind != Kind.FLOAT && kind != Kind.DOUBLE && value.equals(fill());
    if (isFill) {
      throw new InvalidUseException(
          "value: actual="
              + value
              + ", which stands for null in arrays, expected=another value, or a wider type,"
              + " variable="
              + name);
    }
    put(value, to, element);
  }

  private void put(Number value, byte[] to, int element) {
    int at = element * kind.bytes();
    switch (kind) {
      case BYTE -> to[at] = value.byteValue();
      case SHORT -> SHORTS.set(to, at, value.shortValue());
      case INT -> INTS.set(to, at, value.intValue());
      case LONG -> LONGS.set(to, at, value.longValue());
      case FLOAT -> FLOATS.set(to, at, value.floatValue());
      case DOUBLE -> DOUBLES.set(to, at, value.doubleValue());
    }
  }
}
