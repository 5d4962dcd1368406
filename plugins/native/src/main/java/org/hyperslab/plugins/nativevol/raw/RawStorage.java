package org.hyperslab.plugins.nativevol.raw;

import java.util.List;

/**
 * The bytes of one open dataset, for a connector whose ranks read and write them without the
 * engine. The engine manages the metadata: header, index, file space. Offsets are bytes from the
 * start of the store, including the user block.
 *
 * <p>The caller ensures that no rank writes to a place that the engine is changing, and informs the
 * connector of written data before the next flush.
 *
 * <p>Thread rule: any thread.
 */
public interface RawStorage {

  /**
   * {@return the offset of a contiguous dataset's first byte; -1 if it is not contiguous or not
   * allocated}
   */
  long contiguousOffset();

  /** {@return the elements of a compact dataset, file form; empty for other layouts} */
  byte[] compactBytes();

  /**
   * {@return every allocated chunk, in no particular order; empty if the dataset is not chunked}
   */
  List<ChunkPlace> chunks();

  /**
   * Allocates all elements, filled as the fill time demands, and extends the store to the length of
   * the file. Elements that are already allocated stay.
   *
   * @throws org.hyperslab.error.InvalidUseException if the file was opened for reading
   */
  void allocate();

  /**
   * Reserves the blocks of a contiguous dataset's place in the file system, which need not be found
   * then by those who write to it, one after the other. Has no effect if there is no room, or the
   * system cannot reserve blocks.
   *
   * @param leastBytes the size of the smallest dataset for which this is worth a request
   * @param mostBytes the size of the largest one that may not stay sparse
   */
  void reserve(long leastBytes, long mostBytes);

  /**
   * Allocates the given chunks, filled with the fill value; chunks that are already allocated stay.
   *
   * @param scaled the coordinates of the chunks, in units of chunks
   * @return the places of the chunks, in the given order
   */
  List<ChunkPlace> allocateChunks(List<long[]> scaled);

  /**
   * Allocates chunks that are about to be written whole, and puts their places into the index. A
   * chunk keeps its place only if nothing durable refers to it and its size is unchanged.
   *
   * @param wanted the chunks with their new sizes and filter masks; their offsets are ignored
   * @return the places to write to, in the given order
   */
  List<ChunkPlace> place(List<ChunkPlace> wanted);

  /**
   * Writes the dataset's elements that the engine still holds in memory, and extends the store to
   * the length of the file.
   */
  void settle();

  /**
   * Records that chunks in the index were not written: the file can then only be closed, and keeps
   * the state of the last flush.
   *
   * @param cause the failure
   */
  void fail(Throwable cause);
}
