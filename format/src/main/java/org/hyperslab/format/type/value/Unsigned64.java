package org.hyperslab.format.type.value;

/** How unsigned 64-bit integers come out as Java values. */
enum Unsigned64 {
  /** As a BigInteger that has the value. */
  BIG_INTEGER,
  /** As a Long that has the bits, negative above 2^63-1. */
  RAW_LONG
}
