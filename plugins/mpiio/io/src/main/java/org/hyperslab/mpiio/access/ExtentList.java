package org.hyperslab.mpiio.access;

/**
 * A list of disjoint byte extents of a file in ascending order, with adjacent ones joined.
 * Implementations may compute extents lazily.
 *
 * <p>The concatenated bytes of all extents are the list's <em>packed</em> order: packed byte 0 is
 * the first byte of the first extent. File offsets and packed positions are bytes from 0.
 *
 * <p>Thread rule: implementations are immutable; a cursor belongs to one thread.
 */
public interface ExtentList {

  /** {@return the sum of all lengths in bytes} */
  long totalBytes();

  /** {@return the file offset of the first byte; 0 for an empty list} */
  long first();

  /** {@return the file offset after the last byte; 0 for an empty list} */
  long endExclusive();

  /** {@return the number of extents} A lazy list may need an iteration to count them. */
  long count();

  /** {@return a new cursor before the first extent} */
  Cursor cursor();

  /** {@return whether the list holds no bytes} */
  default boolean isEmpty() {
    return totalBytes() == 0;
  }

  /**
   * {@return the number of bytes of the list before {@code fileOffset}}
   *
   * @param fileOffset an offset in the file, in bytes
   */
  default long packedAt(long fileOffset) {
    Cursor cursor = cursor();
    cursor.seekOffset(fileOffset);
    return cursor.next() ? cursor.packed() : totalBytes();
  }

  /**
   * {@return the part of the list from packed byte {@code from} up to {@code toExclusive}}
   *
   * @param from the first packed byte
   * @param toExclusive the packed byte after the last
   */
  default ExtentList slice(long from, long toExclusive) {
    if (from == 0 && toExclusive == totalBytes()) {
      return this;
    }
    return ExtentRuns.copyOf(this, from, toExclusive);
  }

  /**
   * {@return the part of the list within file offsets {@code from .. toExclusive}}
   *
   * @param from the first file offset
   * @param toExclusive the file offset after the last
   */
  default ExtentList within(long from, long toExclusive) {
    return slice(packedAt(from), packedAt(toExclusive));
  }

  /** A position in a list; starts before the first extent. */
  interface Cursor {

    /**
     * Moves to the next extent. At the end the other values are undefined.
     *
     * @return false at the end
     */
    boolean next();

    /** {@return the file offset of the extent} */
    long offset();

    /** {@return the length of the extent in bytes, at least 1} */
    long length();

    /** {@return the packed position of the extent's first byte} */
    long packed();

    /**
     * Seeks to packed position {@code packed}: {@link #next} then moves to the rest of the extent
     * that holds it.
     *
     * @param packed the packed position of a byte
     */
    void seekPacked(long packed);

    /**
     * Seeks to {@code fileOffset}: {@link #next} then moves to the rest of the extent that holds
     * it, or to the next extent.
     *
     * @param fileOffset an offset in the file, in bytes
     */
    void seekOffset(long fileOffset);
  }
}
