package org.hyperslab.vol.query;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;

/**
 * The values of one field in elements that have been read: their form, and where they lie in an
 * element. Numbers are read in a native form; unsigned integers of 64 bits are told as signed ones
 * with the same bits.
 *
 * @param field the field as conditions name it, for messages
 * @param stored the type of the field as stored
 * @param type the type of the field as read
 * @param form the form of its values
 * @param offset the first byte of the value in an element that has been read
 *     <p>Thread rule: immutable.
 */
record FieldColumn(String field, Datatype stored, Datatype type, Form form, long offset) {

  /** The forms of values. */
  enum Form {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    FIXED_TEXT,
    TEXT;

    boolean isInteger() {
      return ordinal() <= U64.ordinal();
    }

    boolean isFloating() {
      return this == F16 || this == F32 || this == F64;
    }

    boolean isText() {
      return this == FIXED_TEXT || this == TEXT;
    }
  }

  private static final Endian NATIVE =
      ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? Endian.BIG : Endian.LITTLE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final FloatType HALF = FloatType.ieee(2, Endian.LITTLE, 5);

  /**
   * Returns the column of a stored type, at offset 0.
   *
   * @throws InvalidUseException if values of the type cannot be compared
   */
  static FieldColumn of(String field, Datatype stored) {
    return switch (stored) {
      case IntegerType t when t.size() <= 8 -> integer(field, t, t.size(), t.signed());
      case BitfieldType t when t.size() <= 8 -> {
        int size = rounded(t.size());
        Form form = form(size, false);
        Datatype read = BitfieldType.of(size, NATIVE);
        yield new FieldColumn(
            field, stored, t.size() == size ? read : t, checked(t, size, form), 0);
      }
      case EnumType t -> {
        int size = t.base().size();
        if (size != rounded(size)) {
          throw notComparable(field, stored);
        }
        EnumType read =
            new EnumType(IntegerType.of(size, NATIVE, t.base().signed()), t.constants());
        yield new FieldColumn(field, stored, read, form(size, t.base().signed()), 0);
      }
      case FloatType t when t.isWithin(HALF) ->
          new FieldColumn(field, stored, Datatypes.NATIVE_FLOAT, Form.F16, 0);
      case FloatType t when t.isWithin(Datatypes.F32LE) ->
          new FieldColumn(field, stored, Datatypes.NATIVE_FLOAT, Form.F32, 0);
      case FloatType t when t.isWithin(Datatypes.F64LE) ->
          new FieldColumn(field, stored, Datatypes.NATIVE_DOUBLE, Form.F64, 0);
      case StringType t -> new FieldColumn(field, stored, t, Form.FIXED_TEXT, 0);
      case VlenStringType t -> new FieldColumn(field, stored, t.inMemory(), Form.TEXT, 0);
      default -> throw notComparable(field, stored);
    };
  }

  private static Form checked(BitfieldType type, int size, Form form) {
    if (type.size() != size) {
      throw notComparable("bits", type);
    }
    return form;
  }

  private static FieldColumn integer(String field, Datatype stored, int size, boolean signed) {
    int rounded = rounded(size);
    return new FieldColumn(
        field, stored, IntegerType.of(rounded, NATIVE, signed), form(rounded, signed), 0);
  }

  private static int rounded(int size) {
    return Integer.highestOneBit(2 * size - 1);
  }

  private static Form form(int size, boolean signed) {
    return switch (size) {
      case 1 -> signed ? Form.I8 : Form.U8;
      case 2 -> signed ? Form.I16 : Form.U16;
      case 4 -> signed ? Form.I32 : Form.U32;
      default -> signed ? Form.I64 : Form.U64;
    };
  }

  private static InvalidUseException notComparable(String field, Datatype type) {
    return new InvalidUseException(
        "field "
            + field
            + ": actual="
            + type.describe()
            + ", expected=integers, floating-point numbers or bitfields of at most 64 bits,"
            + " enumerations or strings");
  }

  FieldColumn at(long newOffset) {
    return new FieldColumn(field, stored, type, form, newOffset);
  }

  /**
   * Copies integers of consecutive elements.
   *
   * @param elements the elements
   * @param at the first byte of the first element
   * @param stride the size of an element
   * @param into receives the values
   * @param count how many
   */
  void integers(MemorySegment elements, long at, long stride, long[] into, int count) {
    long place = at + offset;
    switch (form) {
      case I8 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(ValueLayout.JAVA_BYTE, place + i * stride);
        }
      }
      case U8 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(ValueLayout.JAVA_BYTE, place + i * stride) & 0xFFL;
        }
      }
      case I16 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(SHORT, place + i * stride);
        }
      }
      case U16 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(SHORT, place + i * stride) & 0xFFFFL;
        }
      }
      case I32 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(INT, place + i * stride);
        }
      }
      case U32 -> {
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(INT, place + i * stride) & 0xFFFFFFFFL;
        }
      }
      case I64, U64 -> {
        if (stride == Long.BYTES) {
          MemorySegment.copy(elements, LONG, place, into, 0, count);
          return;
        }
        for (int i = 0; i < count; i++) {
          into[i] = elements.get(LONG, place + i * stride);
        }
      }
      case F16, F32, F64, FIXED_TEXT, TEXT ->
          throw new IllegalStateException("no integers in " + this);
    }
  }

  /** Copies floating-point numbers of consecutive elements; as {@link #integers}. */
  void doubles(MemorySegment elements, long at, long stride, double[] into, int count) {
    long place = at + offset;
    if (form == Form.F64 && stride == Double.BYTES) {
      MemorySegment.copy(elements, DOUBLE, place, into, 0, count);
    } else if (form == Form.F64) {
      for (int i = 0; i < count; i++) {
        into[i] = elements.get(DOUBLE, place + i * stride);
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = elements.get(FLOAT, place + i * stride);
      }
    }
  }

  /**
   * Returns the bytes of a text, without padding.
   *
   * @param elements the elements
   * @param at the first byte of the element
   * @param heap the texts of variable length
   */
  byte[] text(MemorySegment elements, long at, VlenHeap heap) {
    if (form == Form.TEXT) {
      MemorySegment bytes = heap.readSequence(elements, at + offset, 1);
      return bytes == null ? new byte[0] : terminated(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
    StringType fixed = (StringType) type;
    byte[] bytes = elements.asSlice(at + offset, fixed.size()).toArray(ValueLayout.JAVA_BYTE);
    if (fixed.padding() == StringPadding.NULLTERM) {
      return terminated(bytes);
    }
    int pad = fixed.padding() == StringPadding.SPACEPAD ? ' ' : 0;
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == pad) {
      length--;
    }
    return Arrays.copyOf(bytes, length);
  }

  private static byte[] terminated(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        return Arrays.copyOf(bytes, i);
      }
    }
    return bytes;
  }
}
