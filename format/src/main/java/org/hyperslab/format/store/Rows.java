package org.hyperslab.format.store;

/**
 * Pieces of equal length at equal distances.
 *
 * @param length the length of each piece in bytes, at least 1
 * @param stride the distance from start to start in bytes, at least {@code length}
 * @param count the number of pieces, at least 1
 */
record Rows(long length, long stride, long count) {

  /**
   * Returns the number of bytes from the first byte of the first piece to the last byte of the last
   * piece.
   */
  long spanBytes() {
    return Math.addExact(Math.multiplyExact(stride, count - 1), length);
  }
}
