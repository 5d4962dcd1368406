package org.hyperslab.format.type;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Predefined datatypes, and factory methods for other types. Types with variable-length values or
 * references are in the form of a file with eight-byte offsets.
 */
public final class Datatypes {

  private static final Endian NATIVE =
      ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? Endian.BIG : Endian.LITTLE;

  /** Signed 8-bit integer (H5T_STD_I8LE). */
  public static final IntegerType I8LE = IntegerType.of(1, Endian.LITTLE, true);

  /** Signed 8-bit integer, flagged big-endian (H5T_STD_I8BE). */
  public static final IntegerType I8BE = IntegerType.of(1, Endian.BIG, true);

  /** Signed 16-bit little-endian integer. */
  public static final IntegerType I16LE = IntegerType.of(2, Endian.LITTLE, true);

  /** Signed 16-bit big-endian integer. */
  public static final IntegerType I16BE = IntegerType.of(2, Endian.BIG, true);

  /** Signed 32-bit little-endian integer. */
  public static final IntegerType I32LE = IntegerType.of(4, Endian.LITTLE, true);

  /** Signed 32-bit big-endian integer. */
  public static final IntegerType I32BE = IntegerType.of(4, Endian.BIG, true);

  /** Signed 64-bit little-endian integer. */
  public static final IntegerType I64LE = IntegerType.of(8, Endian.LITTLE, true);

  /** Signed 64-bit big-endian integer. */
  public static final IntegerType I64BE = IntegerType.of(8, Endian.BIG, true);

  /** Unsigned 8-bit integer (H5T_STD_U8LE). */
  public static final IntegerType U8LE = IntegerType.of(1, Endian.LITTLE, false);

  /** Unsigned 8-bit integer, flagged big-endian (H5T_STD_U8BE). */
  public static final IntegerType U8BE = IntegerType.of(1, Endian.BIG, false);

  /** Unsigned 16-bit little-endian integer. */
  public static final IntegerType U16LE = IntegerType.of(2, Endian.LITTLE, false);

  /** Unsigned 16-bit big-endian integer. */
  public static final IntegerType U16BE = IntegerType.of(2, Endian.BIG, false);

  /** Unsigned 32-bit little-endian integer. */
  public static final IntegerType U32LE = IntegerType.of(4, Endian.LITTLE, false);

  /** Unsigned 32-bit big-endian integer. */
  public static final IntegerType U32BE = IntegerType.of(4, Endian.BIG, false);

  /** Unsigned 64-bit little-endian integer. */
  public static final IntegerType U64LE = IntegerType.of(8, Endian.LITTLE, false);

  /** Unsigned 64-bit big-endian integer. */
  public static final IntegerType U64BE = IntegerType.of(8, Endian.BIG, false);

  /** IEEE 754 half precision, little-endian (H5T_IEEE_F16LE). */
  public static final FloatType F16LE = FloatType.ieee(2, Endian.LITTLE, 5);

  /** IEEE 754 half precision, big-endian. */
  public static final FloatType F16BE = FloatType.ieee(2, Endian.BIG, 5);

  /** IEEE 754 single precision, little-endian (H5T_IEEE_F32LE). */
  public static final FloatType F32LE = FloatType.ieee(4, Endian.LITTLE, 8);

  /** IEEE 754 single precision, big-endian. */
  public static final FloatType F32BE = FloatType.ieee(4, Endian.BIG, 8);

  /** IEEE 754 double precision, little-endian (H5T_IEEE_F64LE). */
  public static final FloatType F64LE = FloatType.ieee(8, Endian.LITTLE, 11);

  /** IEEE 754 double precision, big-endian. */
  public static final FloatType F64BE = FloatType.ieee(8, Endian.BIG, 11);

  /** IEEE 754 quadruple precision, little-endian. */
  public static final FloatType F128LE = FloatType.ieee(16, Endian.LITTLE, 15);

  /** IEEE 754 quadruple precision, big-endian. */
  public static final FloatType F128BE = FloatType.ieee(16, Endian.BIG, 15);

  /** bfloat16, little-endian (H5T_FLOAT_BFLOAT16LE). */
  public static final FloatType BF16LE = FloatType.ieee(2, Endian.LITTLE, 8);

  /** The bfloat16 format, big-endian. */
  public static final FloatType BF16BE = FloatType.ieee(2, Endian.BIG, 8);

  /** Eight-bit float, four bits of exponent (H5T_FLOAT_F8E4M3). */
  public static final FloatType F8E4M3 = FloatType.ieee(1, Endian.LITTLE, 4);

  /** Eight-bit float, five bits of exponent (H5T_FLOAT_F8E5M2). */
  public static final FloatType F8E5M2 = FloatType.ieee(1, Endian.LITTLE, 5);

  /** Six-bit float in a byte, two bits of exponent (H5T_FLOAT_F6E2M3). */
  public static final FloatType F6E2M3 = small(6, 2, 3);

  /** Six-bit float in a byte, three bits of exponent (H5T_FLOAT_F6E3M2). */
  public static final FloatType F6E3M2 = small(6, 3, 2);

  /** Four-bit float in a byte (H5T_FLOAT_F4E2M1). */
  public static final FloatType F4E2M1 = small(4, 2, 1);

  /** The 80-bit extended float of x87 in 16 bytes, like C's long double on x86-64. */
  public static final FloatType X87_LONG_DOUBLE =
      new FloatType(
          16,
          Endian.LITTLE,
          80,
          0,
          new FloatType.Fields(79, 64, 15, 0, 64, 16383, Normalization.NONE),
          FloatType.Padding.ZEROS);

  /** VAX single precision (H5T_VAX_F32). */
  public static final FloatType VAX_F32 =
      new FloatType(
          4,
          Endian.VAX,
          32,
          0,
          new FloatType.Fields(31, 23, 8, 0, 23, 0x81, Normalization.IMPLIED),
          FloatType.Padding.ZEROS);

  /** VAX double precision, G format (H5T_VAX_F64). */
  public static final FloatType VAX_F64 =
      new FloatType(
          8,
          Endian.VAX,
          64,
          0,
          new FloatType.Fields(63, 52, 11, 0, 52, 0x401, Normalization.IMPLIED),
          FloatType.Padding.ZEROS);

  /** Complex number of two little-endian singles (H5T_COMPLEX_IEEE_F32LE). */
  public static final ComplexType COMPLEX_F32LE = new ComplexType(F32LE);

  /** Complex number of two little-endian doubles (H5T_COMPLEX_IEEE_F64LE). */
  public static final ComplexType COMPLEX_F64LE = new ComplexType(F64LE);

  /** Java's and C's signed 8-bit integer in this machine's order. */
  public static final IntegerType NATIVE_BYTE = IntegerType.of(1, NATIVE, true);

  /** Java's short in this machine's order. */
  public static final IntegerType NATIVE_SHORT = IntegerType.of(2, NATIVE, true);

  /** Java's int in this machine's order. */
  public static final IntegerType NATIVE_INT = IntegerType.of(4, NATIVE, true);

  /** Java's long in this machine's order. */
  public static final IntegerType NATIVE_LONG = IntegerType.of(8, NATIVE, true);

  /** Unsigned 8-bit integer in this machine's order. */
  public static final IntegerType NATIVE_UNSIGNED_BYTE = IntegerType.of(1, NATIVE, false);

  /** Unsigned 16-bit integer in this machine's order; Java's char. */
  public static final IntegerType NATIVE_UNSIGNED_SHORT = IntegerType.of(2, NATIVE, false);

  /** Unsigned 32-bit integer in this machine's order. */
  public static final IntegerType NATIVE_UNSIGNED_INT = IntegerType.of(4, NATIVE, false);

  /** Unsigned 64-bit integer in this machine's order. */
  public static final IntegerType NATIVE_UNSIGNED_LONG = IntegerType.of(8, NATIVE, false);

  /** Java's float in this machine's order. */
  public static final FloatType NATIVE_FLOAT = FloatType.ieee(4, NATIVE, 8);

  /** Java's double in this machine's order. */
  public static final FloatType NATIVE_DOUBLE = FloatType.ieee(8, NATIVE, 11);

  /** Eight bits (H5T_STD_B8LE). */
  public static final BitfieldType B8LE = BitfieldType.of(1, Endian.LITTLE);

  /** Sixteen bits, little-endian. */
  public static final BitfieldType B16LE = BitfieldType.of(2, Endian.LITTLE);

  /** Thirty-two bits, little-endian. */
  public static final BitfieldType B32LE = BitfieldType.of(4, Endian.LITTLE);

  /** Sixty-four bits, little-endian. */
  public static final BitfieldType B64LE = BitfieldType.of(8, Endian.LITTLE);

  /** False and true as written by h5py: an 8-bit enum with FALSE=0 and TRUE=1. */
  public static final EnumType BOOLEAN =
      EnumType.builder(I8LE).constant("FALSE", 0).constant("TRUE", 1).build();

  /** An object reference (H5T_STD_REF_OBJ). */
  public static final ReferenceType OBJECT_REFERENCE = new ReferenceType(8, ReferenceKind.OBJECT);

  /** A region reference (H5T_STD_REF_DSETREG). */
  public static final ReferenceType REGION_REFERENCE = new ReferenceType(12, ReferenceKind.REGION);

  /** A reference of any revised kind (H5T_STD_REF). */
  public static final ReferenceType REFERENCE = new ReferenceType(18, ReferenceKind.OBJECT2);

  private Datatypes() {}

  /**
   * {@return a UTF-8 string of {@code size} bytes, NUL-padded}
   *
   * @param size the size of an element in bytes
   */
  public static StringType fixedString(int size) {
    return fixedString(size, StringPadding.NULLPAD, CharacterSet.UTF8);
  }

  /**
   * {@return a string of {@code size} bytes}
   *
   * @param size the size of an element in bytes
   * @param padding the padding of strings
   * @param charset the character set
   */
  public static StringType fixedString(int size, StringPadding padding, CharacterSet charset) {
    return new StringType(size, padding, charset);
  }

  /** {@return a UTF-8 string of any length} */
  public static VlenStringType vlenString() {
    return vlenString(CharacterSet.UTF8);
  }

  /**
   * {@return a string of any length}
   *
   * @param charset the character set
   */
  public static VlenStringType vlenString(CharacterSet charset) {
    return new VlenStringType(16, StringPadding.NULLTERM, charset, U8LE);
  }

  /**
   * {@return a sequence of any length}
   *
   * @param base the type of the elements
   */
  public static VlenType vlen(Datatype base) {
    return new VlenType(16, base);
  }

  /**
   * {@return the type of arrays of fixed lengths}
   *
   * @param base the type of the elements
   * @param dimensions the lengths, slowest dimension first
   */
  public static ArrayType array(Datatype base, int... dimensions) {
    List<Integer> lengths = new ArrayList<>();
    for (int length : dimensions) {
      lengths.add(length);
    }
    return new ArrayType(lengths, base);
  }

  /**
   * {@return an opaque type of {@code size} bytes with a tag}
   *
   * @param size the size of an element in bytes
   * @param tag the tag
   */
  public static OpaqueType opaque(int size, String tag) {
    return new OpaqueType(size, tag);
  }

  private static FloatType small(int bits, int exponentSize, int mantissaSize) {
    long bias = (1L << (exponentSize - 1)) - 1;
    return new FloatType(
        1,
        Endian.LITTLE,
        bits,
        0,
        new FloatType.Fields(
            bits - 1, mantissaSize, exponentSize, 0, mantissaSize, bias, Normalization.IMPLIED),
        FloatType.Padding.ZEROS);
  }
}
