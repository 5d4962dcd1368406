package org.hyperslab.spark.table;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;

/** Columns of enumerations: the names of members; a value that is no member's is its number. */
final class EnumFiller extends Filler {

  private final EnumType memory;
  private final int size;
  private final Map<Long, byte[]> names = new HashMap<>();

  EnumFiller(EnumType type, String place) {
    this.memory = new EnumType(little(type.base(), place), type.constants());
    this.size = memory.size();
    type.constants()
        .forEach(
            each -> names.putIfAbsent(each.value(), each.name().getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public DataType sparkType() {
    return DataTypes.StringType;
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public Datatype memoryType() {
    return memory;
  }

  @Override
  public void fill(
      ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
    for (int i = 0; i < count; i++) {
      long value = value(from.bytes(), at + i * stride);
      byte[] name = names.get(value);
      to.putByteArray(
          row + i, name == null ? Long.toString(value).getBytes(StandardCharsets.UTF_8) : name);
    }
  }

  private long value(byte[] bytes, int at) {
    long bits = 0;
    for (int i = size - 1; i >= 0; i--) {
      bits = bits << 8 | bytes[at + i] & 0xFF;
    }
    int above = Long.SIZE - 8 * size;
    return memory.base().signed() ? bits << above >> above : bits;
  }

  /** Columns of the enumeration of FALSE and TRUE. */
  static final class OfBoolean extends Filler {

    private final EnumType type;
    private final long no;

    OfBoolean(EnumType type) {
      this.type = new EnumType(little(type.base(), ""), type.constants());
      this.no = type.constant("FALSE").orElseThrow().value();
    }

    @Override
    public DataType sparkType() {
      return DataTypes.BooleanType;
    }

    @Override
    public boolean nullable() {
      return false;
    }

    @Override
    public Datatype memoryType() {
      return type;
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        to.putBoolean(row + i, from.bytes()[at + i * stride] != (byte) no);
      }
    }
  }
}
