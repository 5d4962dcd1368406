package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * A growing, randomly accessible array of bytes; all I/O of the library goes through it. Offsets
 * and lengths are in bytes, counted from 0. Every method takes a position; implementations have no
 * cursor.
 *
 * <p>Thread rule: any number of threads may read and write concurrently. If two writes, or a write
 * and a read, overlap and are not ordered by the caller, the content of the overlap is an
 * unspecified mixture of the two. Closing during another call makes that call fail, but never
 * crash.
 *
 * <p>Every failure is a {@link org.hyperslab.error.StorageException} that names the store, the
 * operation, the offset and the length.
 */
public interface ByteStore extends AutoCloseable {

  /**
   * {@return the name of this store for errors: a path, a URI, or a name such as {@code memory:42}}
   */
  String name();

  /** {@return whether writes are refused} */
  boolean readOnly();

  /** {@return the length in bytes} */
  long size();

  /**
   * Fills {@code target} completely with the bytes from {@code offset} on.
   *
   * @param offset the offset of the first byte
   * @param target receives the bytes; its size determines their number
   * @throws org.hyperslab.error.StorageException if I/O fails or the range extends beyond the end
   */
  void read(long offset, MemorySegment target);

  /**
   * Writes all of {@code source} at {@code offset}. The store grows as needed; a gap between the
   * old end and {@code offset} reads as zeros.
   *
   * @param offset the offset of the first byte
   * @param source the bytes
   */
  void write(long offset, MemorySegment source);

  /**
   * Reads pieces at equal distances and stores them contiguously in the target. Implementations may
   * read and discard the bytes between them, so that many pieces need one request.
   *
   * @param offset the offset of the first piece
   * @param length the length of each piece in bytes, at least 1
   * @param stride the distance from the start of a piece to that of the next, at least {@code
   *     length}
   * @param count the number of pieces, at least 1; the last one must end within the store
   * @param target memory of {@code count * length} bytes
   * @throws org.hyperslab.error.StorageException if I/O fails or the range extends beyond the end
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
   * @param targets receive consecutive bytes, in order
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
   * @param sources the segments to write, one after another
   */
  default void write(long offset, MemorySegment[] sources) {
    long at = offset;
    for (MemorySegment source : sources) {
      write(at, source);
      at += source.byteSize();
    }
  }

  /**
   * {@return whether {@link #prefetch} has an effect} True for stores whose requests are slow:
   * announce the ranges before reading from several places.
   */
  default boolean prefetches() {
    return false;
  }

  /**
   * Announces ranges that will be read soon. A remote store fetches the ranges that it has not
   * cached, in few requests, and keeps them for later reads as far as its memory permits; any other
   * store does nothing. Ranges outside the store are ignored.
   *
   * @param offsets the offset of each range
   * @param lengths the length of each range in bytes; as many as there are offsets
   * @throws org.hyperslab.error.StorageException if I/O fails
   */
  default void prefetch(long[] offsets, long[] lengths) {}

  /**
   * Fills each target from its own offset. Implementations that can do so use one request, or few.
   *
   * @param offsets the offset of each target's bytes, in any order
   * @param targets receive the bytes; their sizes determine the numbers
   * @throws org.hyperslab.error.InvalidUseException if the numbers of targets and offsets differ
   * @throws org.hyperslab.error.StorageException if I/O fails or a range extends beyond the end
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
   * Writes each source to its own offset; bytes between them are unchanged. Implementations that
   * can do so use one request, or few.
   *
   * @param offsets the offset for each source, in any order; where ranges overlap, the last one
   *     wins
   * @param sources the segments to write
   * @throws org.hyperslab.error.InvalidUseException if the numbers of sources and offsets differ
   */
  default void writeList(long[] offsets, MemorySegment[] sources) {
    Ranges.checkList(offsets, sources);
    for (int first = 0; first < sources.length; ) {
      int end = Ranges.endOfAdjacent(offsets, sources, first);
      write(offsets[first], Arrays.copyOfRange(sources, first, end));
      first = end;
    }
  }

  /** A request that has been started. Thread rule: safe. */
  interface Pending {

    /**
     * {@return whether the request has ended} Does not wait.
     *
     * @throws org.hyperslab.error.StorageException if it has failed
     */
    boolean test();

    /**
     * Waits until the request has ended.
     *
     * @throws org.hyperslab.error.StorageException if it has failed
     */
    void await();
  }

  /**
   * Starts to fill {@code target} as {@link #read(long, MemorySegment)} does, if the storage
   * executes requests without a thread of this process.
   *
   * @param offset the offset of the first byte
   * @param target receives the bytes; must stay alive, and not be accessed, until the request has
   *     ended, even if the caller no longer needs it
   * @return the request; empty if nothing was started, because this store has no such requests, or
   *     cannot start one now
   */
  default Optional<Pending> startRead(long offset, MemorySegment target) {
    return Optional.empty();
  }

  /**
   * Starts to write {@code source} as {@link #write(long, MemorySegment)} does; see {@link
   * #startRead}.
   *
   * @param offset the offset of the first byte
   * @param source the bytes; must stay alive and unchanged until the request has ended
   * @return the request; empty if nothing was started
   */
  default Optional<Pending> startWrite(long offset, MemorySegment source) {
    return Optional.empty();
  }

  /**
   * Sets the length: removes the bytes beyond it, or extends the store with zeros.
   *
   * @param sizeBytes the length in bytes
   */
  void truncate(long sizeBytes);

  /**
   * Reserves the space of a range, so that later writes to it do not fail for lack of space, and
   * need not find it. Does not change the length or the content of the store; may have no effect if
   * the storage does not support it.
   *
   * @param offset the position of the first byte
   * @param length the number of bytes
   */
  default void preallocate(long offset, long length) {}

  /**
   * Makes everything written before durable, so that it survives a power failure, and returns when
   * that is done.
   *
   * @param withMetadata whether the length and times must also be durable
   */
  void force(boolean withMetadata);

  /**
   * Declares the content complete and final. A store that can only be created as a whole, such as
   * an object in a bucket, is then created; for other stores this has no effect. Call it at most
   * once, before {@link #close}; a store that is closed without it is abandoned.
   *
   * @throws org.hyperslab.error.StorageException if I/O fails
   */
  default void complete() {}

  /** Closes the store; further calls fail. Closing it again has no effect. Does not imply force. */
  @Override
  void close();
}
