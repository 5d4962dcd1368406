package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.chunk.ChunkLocation;

/**
 * Where chunks are in the file: the index, the allocator and the bytes, as seen from a transfer.
 *
 * <p>Thread rule: finding, reading and writing by any number of threads; {@link #place} by one
 * thread that holds the file's write lock.
 */
public interface ChunkPlaces {

  /** The file's name, for messages. */
  String file();

  /** Where a chunk is, or {@link ChunkLocation#NONE}. */
  ChunkLocation find(long[] scaled);

  /**
   * Finds a place for a chunk about to be written, new or changed: its old place if that may be
   * overwritten and has the right size, a new one otherwise, the old one being freed.
   *
   * @param mayOverwrite whether a crash in the middle of overwriting does no harm beyond the
   *     elements that a user writes: true of writes to chunks without filters
   */
  ChunkLocation place(long[] scaled, long storedBytes, int filterMask, boolean mayOverwrite);

  /**
   * Whether elements may be written where a chunk without filters is. Not where a crash would leave
   * elements that refer to what no flush has made part of the file, or where elements outside of
   * the extent, as the last flush has left it, would not be fill values.
   */
  default boolean mayOverwrite(long[] scaled, ChunkLocation location) {
    return true;
  }

  /**
   * Requires that a chunk lies within the file, before memory is allocated for it.
   *
   * @throws org.hyperslab.error.CorruptFileException if it does not
   */
  default void require(ChunkLocation location) {}

  /** Reads stored bytes at an address. */
  void read(long address, MemorySegment target);

  /** Writes stored bytes at an address. */
  void write(long address, MemorySegment source);
}
