package org.hyperslab.spark.table;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;

/** Columns of strings and of opaque bytes. */
abstract class TextFiller extends Filler {

  private final Datatype type;

  private TextFiller(Datatype type) {
    this.type = type;
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
    return type;
  }

  /** Strings of a fixed number of bytes, without their padding. */
  static final class Fixed extends TextFiller {

    private final int size;
    private final byte padding;

    Fixed(StringType type) {
      super(type);
      this.size = type.size();
      this.padding = (byte) (type.padding() == StringPadding.SPACEPAD ? ' ' : 0);
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        int begin = at + i * stride;
        to.putByteArray(row + i, from.bytes(), begin, length(from.bytes(), begin));
      }
    }

    private int length(byte[] bytes, int begin) {
      int length = 0;
      while (length < size && bytes[begin + length] != 0) {
        length++;
      }
      while (padding == ' ' && length > 0 && bytes[begin + length - 1] == ' ') {
        length--;
      }
      return length;
    }
  }

  /** Strings of variable length; one that was never written is empty. */
  static final class Variable extends TextFiller {

    Variable(VlenStringType type) {
      super(type);
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        long slot = (long) at + (long) i * stride;
        String text =
            VlenHeap.isNull(from.segment(), slot)
                ? ""
                : from.heap().getString(from.segment(), slot);
        to.putByteArray(row + i, text.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** Bytes that are not interpreted. */
  static final class Opaque extends TextFiller {

    private final int size;

    Opaque(OpaqueType type) {
      super(type);
      this.size = type.size();
    }

    @Override
    public DataType sparkType() {
      return DataTypes.BinaryType;
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        to.putByteArray(row + i, from.bytes(), at + i * stride, size);
      }
    }
  }
}
