package org.hyperslab.mpiio.access;

/**
 * Byte extents of a file in ascending order, not overlapping, adjacent ones joined; possibly lazy.
 *
 * <p>The bytes of all extents laid end to end are the list's <em>packed</em> order: packed byte 0
 * is the first byte of the first extent. File offsets and packed positions are bytes from 0.
 *
 * <p>Thread rule: implementations are immutable; a cursor belongs to one thread.
 */
public interface ExtentList {

  /** The sum of all lengths in bytes. */
  long totalBytes();

  /** The file offset of the first byte; 0 for an empty list. */
  long first();

  /** The file offset after the last byte; 0 for an empty list. */
  long endExclusive();

  /** The number of extents. May cost an iteration where the list is lazy. */
  long count();

  /** A new cursor before the first extent. */
  Cursor cursor();

  /** Whether the list holds no bytes. */
  default boolean isEmpty() {
    return totalBytes() == 0;
  }

  /** The number of the list's bytes that lie before {@code fileOffset}. */
  default long packedAt(long fileOffset) {
    Cursor cursor = cursor();
    cursor.seekOffset(fileOffset);
    return cursor.next() ? cursor.packed() : totalBytes();
  }

  /** The part of the list from packed byte {@code from} up to {@code toExclusive}. */
  default ExtentList slice(long from, long toExclusive) {
    if (from == 0 && toExclusive == totalBytes()) {
      return this;
    }
    return ExtentRuns.copyOf(this, from, toExclusive);
  }

  /** The part of the list within file offsets {@code from .. toExclusive}. */
  default ExtentList within(long from, long toExclusive) {
    return slice(packedAt(from), packedAt(toExclusive));
  }

  /** A position in a list; starts before the first extent. */
  interface Cursor {

    /** Moves to the next extent; false at the end, after which the other values mean nothing. */
    boolean next();

    /** The file offset of the extent. */
    long offset();

    /** The length of the extent in bytes, at least 1. */
    long length();

    /** The packed position of the extent's first byte. */
    long packed();

    /**
     * Moves so that {@link #next} gives the bytes from packed position {@code packed} on: the rest
     * of the extent that holds it.
     */
    void seekPacked(long packed);

    /**
     * Moves so that {@link #next} gives the first bytes at or after {@code fileOffset}: the rest of
     * the extent that holds it, or the next extent.
     */
    void seekOffset(long fileOffset);
  }
}
