package org.hyperslab.format.type.value;

/** The Java form in which unsigned 64-bit integers are returned. */
enum Unsigned64 {
  /** A BigInteger with the value. */
  BIG_INTEGER,
  /** A Long with the same bits, negative above 2^63-1. */
  RAW_LONG
}
