package org.hyperslab.format.type;

/** The order in which the bytes of a number are stored. */
public enum Endian {
  /** Least significant byte first. */
  LITTLE,
  /** Most significant byte first. */
  BIG,
  /**
   * Sixteen-bit words, the most significant word first, little-endian within a word. Floats only.
   */
  VAX
}
