package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.index.ChunkLocation;

/**
 * The places of chunks in the file: the index, the allocator and the bytes, as seen from a
 * transfer.
 *
 * <p>Thread rule: finding, reading and writing by any number of threads; {@link #place} by one
 * thread that holds the file's write lock.
 */
public interface ChunkPlaces {

  /** {@return the file's name, for messages} */
  String file();

  /**
   * {@return where a chunk is, or {@link ChunkLocation#NONE}}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  ChunkLocation find(long[] scaled);

  /**
   * Finds a place for a chunk about to be written, new or changed: its old place if that may be
   * overwritten and has the right size, a new one otherwise, the old one being freed.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param storedBytes the number of bytes to be stored
   * @param filterMask a bit for each filter that was skipped
   * @param mayOverwrite whether a crash in the middle of overwriting does no harm beyond the
   *     elements that a user writes: true of writes to chunks without filters
   * @return where the chunk goes
   */
  ChunkLocation place(long[] scaled, long storedBytes, int filterMask, boolean mayOverwrite);

  /**
   * {@return whether elements may be written where a chunk without filters is} Not where a crash
   * would leave elements that refer to what no flush has made part of the file, or where elements
   * outside of the extent, as the last flush has left it, would not be fill values.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param location where the chunk is stored now
   */
  default boolean mayOverwrite(long[] scaled, ChunkLocation location) {
    return true;
  }

  /**
   * Requires that a chunk lies within the file, before memory is allocated for it.
   *
   * @param location where the chunk is stored now
   * @throws org.hyperslab.error.CorruptFileException if it does not
   */
  default void require(ChunkLocation location) {}

  /**
   * Reads stored bytes at an address.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param target the memory to read into
   */
  void read(long address, MemorySegment target);

  /** {@return whether the file is far away, so that {@link #prefetch} does something} */
  default boolean prefetches() {
    return false;
  }

  /**
   * Announces stored bytes that will be read soon.
   *
   * @param addresses where each range begins, bytes from the file's base address
   * @param lengths the bytes of each range
   */
  default void prefetch(long[] addresses, long[] lengths) {}

  /**
   * Writes stored bytes at an address.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param source the memory to write from
   */
  void write(long address, MemorySegment source);
}
