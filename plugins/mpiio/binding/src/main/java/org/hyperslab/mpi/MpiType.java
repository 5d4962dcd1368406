package org.hyperslab.mpi;

/**
 * The predefined datatypes, named after the corresponding type of Java or, if there is none, of C.
 */
public enum MpiType {
  /** One byte that is never converted. */
  BYTE(Predefined.BYTE),
  /** Characters of C's {@code char}. */
  CHAR(Predefined.CHAR),
  /** Signed, 1 byte: Java's {@code byte}. */
  INT8(Predefined.INT8_T),
  /** Signed, 2 bytes: Java's {@code short}. */
  INT16(Predefined.INT16_T),
  /** Signed, 4 bytes: Java's {@code int}. */
  INT32(Predefined.INT32_T),
  /** Signed, 8 bytes: Java's {@code long}. */
  INT64(Predefined.INT64_T),
  /** Unsigned, 1 byte. */
  UINT8(Predefined.UINT8_T),
  /** Unsigned, 2 bytes: Java's {@code char}. */
  UINT16(Predefined.UINT16_T),
  /** Unsigned, 4 bytes. */
  UINT32(Predefined.UINT32_T),
  /** Unsigned, 8 bytes. */
  UINT64(Predefined.UINT64_T),
  /** Numbers of Java's {@code float}. */
  FLOAT(Predefined.FLOAT),
  /** Numbers of Java's {@code double}. */
  DOUBLE(Predefined.DOUBLE),
  /** Booleans of C's {@code _Bool}. */
  BOOL(Predefined.C_BOOL),
  /** Integers of C's {@code int}. */
  C_INT(Predefined.INT),
  /** C's {@code long}, whose external32 form has 4 bytes. */
  C_LONG(Predefined.LONG),
  /** Integers of C's {@code short}. */
  C_SHORT(Predefined.SHORT),
  /** C's {@code long long}. */
  C_LONG_LONG(Predefined.LONG_LONG),
  /** Integers of C's {@code unsigned}. */
  C_UNSIGNED(Predefined.UNSIGNED),
  /** An address ({@code MPI_Aint}). */
  AINT(Predefined.AINT),
  /** A file offset. */
  OFFSET(Predefined.OFFSET),
  /** A count ({@code MPI_Count}). */
  COUNT(Predefined.COUNT),
  /** The output of {@code MPI_Pack}. */
  PACKED(Predefined.PACKED),
  /** A pair {@code (float, int)}. */
  FLOAT_INT(Predefined.FLOAT_INT),
  /** A pair {@code (double, int)}. */
  DOUBLE_INT(Predefined.DOUBLE_INT),
  /** A pair {@code (C's long, int)}. */
  LONG_INT(Predefined.LONG_INT),
  /** A pair {@code (int, int)}. */
  TWO_INT(Predefined.TWO_INT);

  private final Predefined handle;

  MpiType(Predefined handle) {
    this.handle = handle;
  }

  Predefined handle() {
    return handle;
  }
}
