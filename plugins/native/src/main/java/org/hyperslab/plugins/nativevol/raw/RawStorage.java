package org.hyperslab.plugins.nativevol.raw;

import java.util.List;

/**
 * The bytes of one open dataset, for a connector whose ranks read and write them past the engine.
 * The engine keeps what finds them: header, index, file space. Offsets count from the start of the
 * store, user block included.
 *
 * <p>The caller promises that no rank writes to a place that the engine is changing, and tells the
 * connector of what was written before the next flush.
 *
 * <p>Thread rule: any thread.
 */
public interface RawStorage {

  /**
   * {@return the offset of a contiguous dataset's first byte; -1 if it is not contiguous or has no
   * place}
   */
  long contiguousOffset();

  /** {@return the elements of a compact dataset, file form; empty for other layouts} */
  byte[] compactBytes();

  /** {@return every chunk that has a place, in no order; empty if the dataset is not chunked} */
  List<ChunkPlace> chunks();

  /**
   * Gives every element a place, filled as the fill value asks, and makes the store as long as the
   * file. Does nothing for what has one.
   *
   * @throws org.hyperslab.error.InvalidUseException if the file was opened for reading
   */
  void allocate();

  /**
   * Gives the named chunks a place, filled with the fill value; those that have one keep it.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @return where they are now, in the order given
   */
  List<ChunkPlace> allocateChunks(List<long[]> scaled);

  /**
   * Finds places for chunks that are about to be written as a whole, and puts them into the index.
   * A chunk keeps its place only if nothing durable refers to it and its size is the same.
   *
   * @param wanted the chunks with their new sizes and filter masks; offsets do not matter
   * @return where to write them, in the order given
   */
  List<ChunkPlace> place(List<ChunkPlace> wanted);

  /**
   * Writes the dataset's elements that the engine still holds in memory, and makes the store as
   * long as the file.
   */
  void settle();

  /**
   * Notes that places which the index names were not written: the file takes nothing more but
   * closing, and stays as the last flush left it.
   *
   * @param cause the failure
   */
  void fail(Throwable cause);
}
