package org.hyperslab.spark.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.netcdf.time.CfCalendar;
import org.hyperslab.netcdf.time.CfDateTime;
import org.hyperslab.netcdf.time.CfTime;

/** Columns of integers, floating-point numbers, packed numbers and times. */
final class NumberFiller extends Filler {

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);
  private static final long MICROS = 1_000_000;

  /** The type of columns of unsigned integers of 64 bits. */
  private static final DataType UNSIGNED_LONG = DataTypes.createDecimalType(20, 0);

  private final Datatype memory;
  private final boolean isFloat;
  private final int size;
  private final boolean signed;
  private final Decoding decoding;
  private final long[] markBits;
  private final double[] markNumbers;
  private final Optional<CfTime> time;
  private final boolean isTextTime;

  private NumberFiller(Datatype memory, boolean signed, Decoding decoding) {
    this.memory = memory;
    this.isFloat = memory instanceof FloatType;
    this.size = memory.size();
    this.signed = decoding.unsigned().map(unsigned -> !unsigned).orElse(signed);
    this.decoding = decoding;
    this.markBits =
        decoding.marks().stream()
            .flatMap(each -> bits(each).stream())
            .mapToLong(each -> each)
            .toArray();
    this.markNumbers =
        decoding.marks().stream()
            .mapToDouble(
                mark -> size == Float.BYTES ? (double) mark.floatValue() : mark.doubleValue())
            .toArray();
    this.time = decoding.time();
    this.isTextTime =
        time.filter(each ->
                each.calendar() == CfCalendar.DAYS_360 || each.calendar() == CfCalendar.ALL_LEAP)
            .isPresent();
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  static Filler of(IntegerType type, Decoding decoding, String place) {
    return new NumberFiller(little(type, place), type.signed(), decoding);
  }

  static Filler of(FloatType type, Decoding decoding, String place) {
    return new NumberFiller(little(type), true, decoding);
  }

  static Filler bits(BitfieldType type, String place) {
    int bytes = little(IntegerType.of(type.size(), Endian.LITTLE, false), place).size();
    return new NumberFiller(BitfieldType.of(bytes, Endian.LITTLE), false, Decoding.NONE);
  }

  /** Returns the number as this column has it, if it can have it. */
  private Optional<Long> bits(Number mark) {
    if (isFloat) {
      return Optional.empty();
    }
    try {
      BigInteger whole =
          mark instanceof Float || mark instanceof Double
              ? new BigDecimal(mark.doubleValue()).toBigIntegerExact()
              : new BigDecimal(mark.toString()).toBigIntegerExact();
      if (whole.bitLength() > 8 * size) {
        return Optional.empty();
      }
      long value = whole.longValue();
      int above = Long.SIZE - 8 * size;
      return Optional.of(signed ? value << above >> above : value << above >>> above);
    } catch (ArithmeticException | NumberFormatException noInteger) {
      return Optional.empty();
    }
  }

  @Override
  public DataType sparkType() {
    if (isTextTime) {
      return DataTypes.StringType;
    }
    if (time.isPresent()) {
      return DataTypes.TimestampNTZType;
    }
    if (decoding.packed()) {
      return DataTypes.DoubleType;
    }
    if (isFloat) {
      return size == Float.BYTES ? DataTypes.FloatType : DataTypes.DoubleType;
    }
    return switch (size) {
      case 1 -> signed ? DataTypes.ByteType : DataTypes.ShortType;
      case 2 -> signed ? DataTypes.ShortType : DataTypes.IntegerType;
      case 4 -> signed ? DataTypes.IntegerType : DataTypes.LongType;
      default -> signed ? DataTypes.LongType : UNSIGNED_LONG;
    };
  }

  @Override
  public boolean nullable() {
    return !decoding.marks().isEmpty() || decoding.marksNan() || time.isPresent() && isFloat;
  }

  @Override
  public Datatype memoryType() {
    return memory;
  }

  @Override
  public void fill(
      ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
    byte[] bytes = from.bytes();
    if (time.isPresent()) {
      times(bytes, at, stride, count, to, row);
    } else if (decoding.packed()) {
      packed(bytes, at, stride, count, to, row);
    } else if (isFloat) {
      floats(bytes, at, stride, count, to, row);
    } else {
      integers(bytes, at, stride, count, to, row);
    }
  }

  // --- as stored ---

  private void floats(
      byte[] bytes, int at, int stride, int count, WritableColumnVector to, int row) {
    if (size == Float.BYTES) {
      if (stride == size) {
        to.putFloats(row, count, bytes, at);
      } else {
        for (int i = 0; i < count; i++) {
          to.putFloat(row + i, (float) FLOATS.get(bytes, at + i * stride));
        }
      }
    } else if (stride == size) {
      to.putDoubles(row, count, bytes, at);
    } else {
      for (int i = 0; i < count; i++) {
        to.putDouble(row + i, (double) DOUBLES.get(bytes, at + i * stride));
      }
    }
    if (nullable()) {
      for (int i = 0; i < count; i++) {
        if (isMark(number(bytes, at + i * stride))) {
          to.putNull(row + i);
        }
      }
    }
  }

  private void integers(
      byte[] bytes, int at, int stride, int count, WritableColumnVector to, int row) {
    if (signed && stride == size) {
      switch (size) {
        case 1 -> to.putBytes(row, count, bytes, at);
        case 2 -> to.putShorts(row, count, bytes, at);
        case 4 -> to.putInts(row, count, bytes, at);
        default -> to.putLongs(row, count, bytes, at);
      }
    } else {
      for (int i = 0; i < count; i++) {
        put(whole(bytes, at + i * stride), to, row + i);
      }
    }
    if (markBits.length > 0) {
      for (int i = 0; i < count; i++) {
        if (isMark(whole(bytes, at + i * stride))) {
          to.putNull(row + i);
        }
      }
    }
  }

  private void put(long value, WritableColumnVector to, int row) {
    switch (signed ? size : 2 * size) {
      case 1 -> to.putByte(row, (byte) value);
      case 2 -> to.putShort(row, (short) value);
      case 4 -> to.putInt(row, (int) value);
      case 8 -> to.putLong(row, value);
      default -> to.putDecimal(row, Decimal.apply(new BigDecimal(unsigned(value)), 20, 0), 20);
    }
  }

  private static BigInteger unsigned(long value) {
    BigInteger low = BigInteger.valueOf(value);
    return value < 0 ? low.add(BigInteger.TWO.pow(Long.SIZE)) : low;
  }

  // --- decoded ---

  private void packed(
      byte[] bytes, int at, int stride, int count, WritableColumnVector to, int row) {
    double scale = decoding.scale();
    double offset = decoding.offset();
    boolean hasMarks = nullable();
    for (int i = 0; i < count; i++) {
      int place = at + i * stride;
      if (hasMarks && isMarkAt(bytes, place)) {
        to.putNull(row + i);
      } else {
        to.putDouble(row + i, number(bytes, place) * scale + offset);
      }
    }
  }

  private void times(
      byte[] bytes, int at, int stride, int count, WritableColumnVector to, int row) {
    for (int i = 0; i < count; i++) {
      int place = at + i * stride;
      double number = isFloat ? number(bytes, place) : 0;
      if (isMarkAt(bytes, place) || isFloat && !Double.isFinite(number)) {
        to.putNull(row + i);
        continue;
      }
      CfTime units = time.orElseThrow();
      CfDateTime date = isFloat ? units.decode(number) : units.decode(whole(bytes, place));
      if (isTextTime) {
        to.putByteArray(row + i, date.toString().getBytes(StandardCharsets.UTF_8));
      } else {
        to.putLong(row + i, micros(date.toLocalDateTime()));
      }
    }
  }

  /** Returns a time in Spark's form of a timestamp without a time zone. */
  static long micros(LocalDateTime date) {
    return Math.addExact(
        Math.multiplyExact(date.toEpochSecond(ZoneOffset.UTC), MICROS), date.getNano() / 1000);
  }

  private boolean isMarkAt(byte[] bytes, int at) {
    return isFloat ? isMark(number(bytes, at)) : isMark(whole(bytes, at));
  }

  private boolean isMark(long value) {
    for (long mark : markBits) {
      if (mark == value) {
        return true;
      }
    }
    return false;
  }

  private boolean isMark(double value) {
    if (Double.isNaN(value)) {
      return decoding.marksNan();
    }
    for (double mark : markNumbers) {
      if (mark == value) {
        return true;
      }
    }
    return false;
  }

  // --- elements ---

  private double number(byte[] bytes, int at) {
    if (isFloat) {
      return size == Float.BYTES ? (float) FLOATS.get(bytes, at) : (double) DOUBLES.get(bytes, at);
    }
    long value = whole(bytes, at);
    return !signed && value < 0 ? unsigned(value).doubleValue() : value;
  }

  private long whole(byte[] bytes, int at) {
    return switch (size) {
      case 1 -> signed ? bytes[at] : bytes[at] & 0xFF;
      case 2 -> {
        short value = (short) SHORTS.get(bytes, at);
        yield signed ? value : value & 0xFFFF;
      }
      case 4 -> {
        int value = (int) INTS.get(bytes, at);
        yield signed ? value : Integer.toUnsignedLong(value);
      }
      default -> (long) LONGS.get(bytes, at);
    };
  }
}
