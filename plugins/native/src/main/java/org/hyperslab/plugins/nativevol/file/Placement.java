package org.hyperslab.plugins.nativevol.file;

/**
 * The addresses at which an allocation may be placed.
 *
 * @param alignment its address is a multiple of this, at least 1
 * @param boundary it does not cross a multiple of this unless it is longer; 0 for no such rule
 */
record Placement(long alignment, long boundary) {

  /** Anywhere. */
  static final Placement ANYWHERE = new Placement(1, 0);

  /** Returns the first address at or after {@code start} where {@code size} bytes may stand. */
  long place(long start, long size) {
    long at = Math.ceilDiv(start, alignment) * alignment;
    if (boundary > 0 && size <= boundary && at / boundary != (at + size - 1) / boundary) {
      return Math.ceilDiv(at, boundary) * boundary;
    }
    return at;
  }
}
