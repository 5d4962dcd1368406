package org.hyperslab.convert.model;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.convert.bytes.ByteSwap;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/** The types of classic files, in the order of their codes. */
public enum ClassicType {
  /** Signed, 8 bits. */
  BYTE(1, Datatypes.I8LE, Datatypes.I8BE, -127L),
  /** A character of one byte. */
  CHAR(2, Forms.CHARACTER, Forms.CHARACTER, 0L),
  /** Signed, 16 bits. */
  SHORT(3, Datatypes.I16LE, Datatypes.I16BE, -32767L),
  /** Signed, 32 bits. */
  INT(4, Datatypes.I32LE, Datatypes.I32BE, -2147483647L),
  /** IEEE single precision. */
  FLOAT(5, Datatypes.F32LE, Datatypes.F32BE, 9.9692099683868690e+36),
  /** IEEE double precision. */
  DOUBLE(6, Datatypes.F64LE, Datatypes.F64BE, 9.9692099683868690e+36),
  /** Unsigned, 8 bits. This and the following types exist only in CDF-5. */
  UBYTE(7, Datatypes.U8LE, Datatypes.U8BE, 255L),
  /** Unsigned, 16 bits. */
  USHORT(8, Datatypes.U16LE, Datatypes.U16BE, 65535L),
  /** Unsigned, 32 bits. */
  UINT(9, Datatypes.U32LE, Datatypes.U32BE, 4294967295L),
  /** Signed, 64 bits. */
  INT64(10, Datatypes.I64LE, Datatypes.I64BE, -9223372036854775806L),
  /** Unsigned, 64 bits. */
  UINT64(11, Datatypes.U64LE, Datatypes.U64BE, -2L);

  /**
   * Holds the character type in a separate class, because enum constants are created before static
   * fields.
   */
  private static final class Forms {
    /** The type in which netCDF-4 stores a character. */
    static final StringType CHARACTER =
        new StringType(1, StringPadding.NULLTERM, CharacterSet.ASCII);
  }

  private final int number;
  private final Datatype memory;
  private final Datatype stored;
  private final Number fill;

  ClassicType(int number, Datatype memory, Datatype stored, Number fill) {
    this.number = number;
    this.memory = memory;
    this.stored = stored;
    this.fill = fill;
  }

  /** Returns the number of the type in a file. */
  public int number() {
    return number;
  }

  /** Returns the size of an element, in bytes. */
  public int size() {
    return stored.size();
  }

  /** Returns the little-endian type in the model. */
  public Datatype memory() {
    return memory;
  }

  /** Returns the big-endian type in the file. */
  Datatype stored() {
    return stored;
  }

  /** Returns the name in CDL, such as {@code int64}. */
  public String cdlName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether only CDF-5 has the type. */
  public boolean needsCdf5() {
    return number > DOUBLE.number;
  }

  /** Returns the type of a number in a file, or empty if there is none. */
  public static Optional<ClassicType> ofNumber(int number) {
    return number < 1 || number > values().length
        ? Optional.empty()
        : Optional.of(values()[number - 1]);
  }

  /** Returns the type that holds the same values as a datatype of any byte order. */
  public static Optional<ClassicType> of(Datatype type) {
    Datatype little =
        switch (type) {
          case IntegerType t when t.order() == Endian.BIG && t.fillsElement() ->
              IntegerType.of(t.size(), Endian.LITTLE, t.signed());
          case FloatType t when t.order() == Endian.BIG -> t.withOrder(Endian.LITTLE);
          case StringType t when t.size() == 1 -> CHAR.memory;
          default -> type;
        };
    for (ClassicType known : values()) {
      if (known.memory.equals(little)) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }

  /** Returns the default fill value, in the byte order of the file or of the model. */
  public byte[] fill(ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(size()).order(order);
    if (this == FLOAT) {
      bytes.putFloat(fill.floatValue());
    } else if (this == DOUBLE) {
      bytes.putDouble(fill.doubleValue());
    } else {
      switch (size()) {
        case 1 -> bytes.put(fill.byteValue());
        case 2 -> bytes.putShort(fill.shortValue());
        case 4 -> bytes.putInt(fill.intValue());
        default -> bytes.putLong(fill.longValue());
      }
    }
    return bytes.array();
  }

  /** Reverses the bytes of elements between the file's order and the model's, in place. */
  public void swap(MemorySegment elements, long count) {
    ByteSwap.swap(elements, count, size());
  }
}
