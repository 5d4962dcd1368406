package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A growing, randomly accessible array of bytes; all I/O of the library goes through it. Offsets
 * and lengths are in bytes, counted from 0. Every method is positional; implementations have no
 * cursor.
 *
 * <p>Thread rule: any threads may read and write at the same time. If two writes, or a write and a
 * read, overlap and are not ordered by the caller, the content of the overlap is an unspecified
 * mixture of the two. Closing during another call makes that call fail, but never crash.
 *
 * <p>Every failure is a {@link org.hyperslab.error.StorageException} that names the store, the
 * operation, the offset and the length.
 */
public interface ByteStore extends AutoCloseable {

  /**
   * {@return the name of this store for messages: a path, a URI, or a name such as {@code
   * memory:42}}
   */
  String name();

  /** {@return whether writes are refused} */
  boolean readOnly();

  /** {@return the length in bytes} */
  long size();

  /**
   * Fills {@code target} wholly from the bytes at {@code offset}.
   *
   * @param offset the offset of the first byte
   * @param target receives the bytes, and determines how many
   * @throws org.hyperslab.error.StorageException if I/O fails or the range passes the end
   */
  void read(long offset, MemorySegment target);

  /**
   * Writes the whole of {@code source} at {@code offset}. The store grows as needed; a gap between
   * the old end and {@code offset} reads as zeros.
   *
   * @param offset the offset of the first byte
   * @param source the bytes
   */
  void write(long offset, MemorySegment source);

  /**
   * Reads pieces at equal distances and stores them contiguously in the target. The bytes between
   * them are read and discarded, so that many pieces need one request.
   *
   * @param offset of the first piece
   * @param length of each piece in bytes, at least 1
   * @param stride from the start of a piece to that of the next, at least {@code length}
   * @param count how many pieces, at least 1; the last ends in the store
   * @param target {@code count * length} bytes
   * @throws org.hyperslab.error.StorageException if I/O fails or the range passes the end
   */
  default void readRows(long offset, long length, long stride, long count, MemorySegment target) {
    MemorySegment scrap = MemorySegment.ofArray(new byte[Math.toIntExact(stride - length)]);
    MemorySegment[] places = new MemorySegment[Math.toIntExact(2 * count - 1)];
    for (int i = 0; i < places.length; i++) {
      places[i] = i % 2 == 0 ? target.asSlice(i / 2 * length, length) : scrap;
    }
    read(offset, places);
  }

  /**
   * Fills each target in turn from consecutive bytes starting at {@code offset} (scatter).
   * Implementations may need fewer requests than there are targets.
   *
   * @param offset the offset of the first byte
   * @param targets receive consecutive bytes, in their order
   */
  default void read(long offset, MemorySegment[] targets) {
    long at = offset;
    for (MemorySegment target : targets) {
      read(at, target);
      at += target.byteSize();
    }
  }

  /**
   * Writes the sources to consecutive bytes starting at {@code offset} (gather).
   *
   * @param offset the offset of the first byte
   * @param sources the segments to write one after the other
   */
  default void write(long offset, MemorySegment[] sources) {
    long at = offset;
    for (MemorySegment source : sources) {
      write(at, source);
      at += source.byteSize();
    }
  }

  /**
   * {@return whether {@link #prefetch} does something} True of stores whose every request is slow:
   * announce the ranges before reading from several places.
   */
  default boolean prefetches() {
    return false;
  }

  /**
   * Announces ranges that will be read soon. A remote store fetches those that it does not hold, in
   * few requests, and keeps them for later reads as far as its memory allows; any other store does
   * nothing. Ranges that do not lie in the store are passed over.
   *
   * @param offsets where each range begins
   * @param lengths the bytes of each, as many as there are offsets
   * @throws org.hyperslab.error.StorageException if I/O fails
   */
  default void prefetch(long[] offsets, long[] lengths) {}

  /**
   * Fills each target from a place of its own. A store that can takes the list as one request, or
   * as few.
   *
   * @param offsets where each target's bytes begin, in any order
   * @param targets receive the bytes, and determine how many
   * @throws org.hyperslab.error.InvalidUseException if there are not as many targets as offsets
   * @throws org.hyperslab.error.StorageException if I/O fails or a range passes the end
   */
  default void readList(long[] offsets, MemorySegment[] targets) {
    Ranges.checkList(offsets, targets);
    for (int first = 0; first < targets.length; ) {
      int end = Ranges.endOfAdjacent(offsets, targets, first);
      read(offsets[first], Arrays.copyOfRange(targets, first, end));
      first = end;
    }
  }

  /**
   * Writes each source to a place of its own; bytes between the places stay as they are. A store
   * that can takes the list as one request, or as few.
   *
   * @param offsets where each source goes, in any order; of places that overlap the last wins
   * @param sources the segments to write
   * @throws org.hyperslab.error.InvalidUseException if there are not as many sources as offsets
   */
  default void writeList(long[] offsets, MemorySegment[] sources) {
    Ranges.checkList(offsets, sources);
    for (int first = 0; first < sources.length; ) {
      int end = Ranges.endOfAdjacent(offsets, sources, first);
      write(offsets[first], Arrays.copyOfRange(sources, first, end));
      first = end;
    }
  }

  /**
   * Sets the length: removes the bytes beyond it, or extends the store with zeros.
   *
   * @param sizeBytes the length, bytes
   */
  void truncate(long sizeBytes);

  /**
   * Reserves space up to {@code sizeBytes}, so that later writes do not fail for lack of it. Never
   * shrinks the store; may do nothing where the storage does not support it.
   *
   * @param sizeBytes the length, bytes
   */
  default void preallocate(long sizeBytes) {}

  /**
   * Makes everything written before durable, so that it survives a power failure, and returns when
   * it is.
   *
   * @param withMetadata whether the length and times must be durable too
   */
  void force(boolean withMetadata);

  /**
   * Declares the content complete and final. A store that can only be made as a whole, such as an
   * object in a bucket, is made now; any other does nothing. At most once, before {@link #close}; a
   * store that is closed without it was given up.
   *
   * @throws org.hyperslab.error.StorageException if I/O fails
   */
  default void complete() {}

  /** Closes the store; further calls fail. Closing twice does nothing. Does not imply force. */
  @Override
  void close();
}
