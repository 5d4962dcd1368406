package org.hyperslab.mpiio.datatype;

/**
 * The elementary types of MPI (MPI 4.1, table 3.2) with their sizes in bytes: in memory, as in C on
 * a 64-bit machine of either byte order, and in the external32 representation (table 14.2).
 *
 * <p>{@code MPI_LONG_DOUBLE} is missing, because Java has no such type.
 */
public enum ElementaryType {
  /** Uninterpreted bytes: no representation converts them. */
  BYTE(Kind.BYTES, 1, 1),
  /** A printable character. */
  CHAR(Kind.BYTES, 1, 1),
  /** A boolean, in a byte. */
  C_BOOL(Kind.BYTES, 1, 1),
  /** Signed 8 bits. */
  INT8(Kind.SIGNED, 1, 1),
  /** Unsigned 8 bits. */
  UINT8(Kind.UNSIGNED, 1, 1),
  /** Signed 16 bits; also {@code MPI_SHORT}. */
  INT16(Kind.SIGNED, 2, 2),
  /** Unsigned 16 bits; also Java's {@code char}. */
  UINT16(Kind.UNSIGNED, 2, 2),
  /** Signed 32 bits; also {@code MPI_INT}. */
  INT32(Kind.SIGNED, 4, 4),
  /** Unsigned 32 bits. */
  UINT32(Kind.UNSIGNED, 4, 4),
  /** Signed 64 bits; also {@code MPI_LONG_LONG} and Java's {@code long}. */
  INT64(Kind.SIGNED, 8, 8),
  /** Unsigned 64 bits. */
  UINT64(Kind.UNSIGNED, 8, 8),
  /** C's {@code long}: 64 bits in memory and 32 in external32. */
  LONG(Kind.SIGNED, 8, 4),
  /** C's {@code unsigned long}: 64 bits in memory and 32 in external32. */
  UNSIGNED_LONG(Kind.UNSIGNED, 8, 4),
  /** C's {@code wchar_t}: 32 bits in memory and 16 in external32. */
  WCHAR(Kind.UNSIGNED, 4, 2),
  /** IEEE 754 binary32. */
  FLOAT(Kind.FLOAT, 4, 4),
  /** IEEE 754 binary64. */
  DOUBLE(Kind.FLOAT, 8, 8),
  /** Two binary32: real and imaginary part. */
  FLOAT_COMPLEX(Kind.COMPLEX, 8, 8),
  /** Two binary64: real and imaginary part. */
  DOUBLE_COMPLEX(Kind.COMPLEX, 16, 16),
  /** {@code MPI_AINT}: a memory address. */
  AINT(Kind.SIGNED, 8, 8),
  /** {@code MPI_OFFSET}: a file offset. */
  OFFSET(Kind.SIGNED, 8, 8),
  /** {@code MPI_COUNT}: a number of elements. */
  COUNT(Kind.SIGNED, 8, 8);

  /** The interpretation of the bits. */
  public enum Kind {
    /** Bytes without order. */
    BYTES,
    /** Signed integers in two's complement. */
    SIGNED,
    /** Integers without a sign. */
    UNSIGNED,
    /** Floating-point numbers of IEEE 754. */
    FLOAT,
    /** Pairs of IEEE 754. */
    COMPLEX
  }

  private final Kind kind;
  private final int bytes;
  private final int external32Bytes;

  ElementaryType(Kind kind, int bytes, int external32Bytes) {
    this.kind = kind;
    this.bytes = bytes;
    this.external32Bytes = external32Bytes;
  }

  /** {@return the interpretation of the bits} */
  public Kind kind() {
    return kind;
  }

  /** {@return the size and extent in memory, in bytes} */
  public int bytes() {
    return bytes;
  }

  /** {@return the size in the external32 representation, in bytes} */
  public int external32Bytes() {
    return external32Bytes;
  }

  /** {@return the alignment in memory: the size, or that of a part of a complex number} */
  public int alignment() {
    return kind == Kind.COMPLEX ? bytes / 2 : bytes;
  }

  /** {@return the numbers that make up one element: 2 for a complex number, otherwise 1} */
  public int parts() {
    return kind == Kind.COMPLEX ? 2 : 1;
  }
}
