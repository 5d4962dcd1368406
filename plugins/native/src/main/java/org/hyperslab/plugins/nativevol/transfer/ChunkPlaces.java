package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.index.grid.ChunkLocation;

/**
 * The places of chunks in the file, as transfers use them: the index, the allocator and the bytes.
 *
 * <p>Thread rule: finding, reading and writing in any number of threads; {@link #put} in one thread
 * that holds the file's write lock.
 */
public interface ChunkPlaces {

  /** {@return the file's name, for messages} */
  String file();

  /** {@return the dataset, for messages} */
  default String dataset() {
    return "a dataset";
  }

  /** {@return whether encoded chunks are checked before they are written} */
  default boolean verifiesWrites() {
    return false;
  }

  /** {@return what is shown the chunks that are encoded} */
  default ChunkObserver observer() {
    return ChunkObserver.NONE;
  }

  /**
   * {@return the place of a chunk, or {@link ChunkLocation#NONE}}
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  ChunkLocation find(long[] scaled);

  /**
   * Writes a chunk as it is stored. It stays at its old place if that may be overwritten and has
   * the right size; otherwise it gets a new one, which the index knows from then on, and the old
   * one is freed.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param bytes the chunk as it is to be stored
   * @param filterMask a bit for each filter that was skipped
   * @param mayOverwrite whether a crash in the middle of overwriting harms only the elements that a
   *     user writes, as for chunks without filters
   */
  void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite);

  /**
   * {@return whether elements may be written to the place of a chunk without filters} This is false
   * if a crash could leave elements that refer to heap objects that no flush has made durable, or
   * elements other than fill values outside the extent of the last flush.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param location the present place of the chunk
   */
  default boolean mayOverwrite(long[] scaled, ChunkLocation location) {
    return true;
  }

  /** {@return the extent of the dataset, elements in each dimension} */
  long[] extent();

  /**
   * Requires that a chunk lies within the file, before memory is allocated for it.
   *
   * @param location the present place of the chunk
   * @throws org.hyperslab.error.CorruptFileException if it does not
   */
  default void require(ChunkLocation location) {}

  /**
   * Reads stored bytes at an address.
   *
   * @param address the address of the first byte, from the file's base address
   * @param target the memory to read into
   */
  void read(long address, MemorySegment target);

  /** {@return whether the file is remote, so that {@link #prefetch} has an effect} */
  default boolean prefetches() {
    return false;
  }

  /**
   * Announces stored bytes that will be read soon.
   *
   * @param addresses the start of each range, bytes from the file's base address
   * @param lengths the length of each range in bytes
   */
  default void prefetch(long[] addresses, long[] lengths) {}

  /**
   * Writes stored bytes at an address.
   *
   * @param address the address of the first byte, from the file's base address
   * @param source the memory to write from
   */
  void write(long address, MemorySegment source);
}
