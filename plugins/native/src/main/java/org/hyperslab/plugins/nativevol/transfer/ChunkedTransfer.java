package org.hyperslab.plugins.nativevol.transfer;

import java.util.List;

/**
 * Moves elements between memory and a chunked dataset. Chunks are shared by threads: each is read,
 * decoded and moved, or moved and encoded, by one of them. Places in the file are given out by the
 * caller's thread alone, in order of chunks, so that the same calls make the same file.
 *
 * <p>Chunks without filters are read and written in place, run by run. A filtered chunk that is
 * written in part waits decoded in memory until it is pushed out or {@link #flush}ed.
 *
 * <p>Thread rule: any number of readers, or one writer that holds the file's write lock.
 */
public final class ChunkedTransfer implements AutoCloseable {

  private final DecodedChunks chunks;
  private final WholeChunks whole;

  /**
   * Creates a transfer of the chunks of a dataset.
   *
   * @param places where chunks are stored
   * @param shape the shape of chunks
   * @param resources the threads and buffers to use
   * @param budget the memory for cached chunks
   */
  public ChunkedTransfer(
      ChunkPlaces places, ChunkShape shape, TransferResources resources, CacheBudget budget) {
    this.chunks = new DecodedChunks(places, shape, resources, budget);
    this.whole = new WholeChunks(chunks);
  }

  /**
   * Reads the elements of the transfer.
   *
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void read(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.targetSize());
    new ChunkedRead(chunks, transfer, mover).run();
  }

  /**
   * Writes the elements of the transfer.
   *
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void write(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.sourceSize());
    new ChunkedWrite(chunks, transfer, mover).run();
  }

  /** {@return the same chunks, as wholes} */
  public WholeChunks whole() {
    return whole;
  }

  /** Encodes and writes the chunks that wait in memory; the file's write lock is held. */
  public void flush() {
    chunks.flush();
  }

  /**
   * Forgets the cached content of a chunk that was deleted or replaced by other means.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  public void forget(long[] scaled) {
    chunks.forget(scaled);
  }

  /** {@return coordinates of chunks that wait in memory and may have no place in the file yet} */
  public List<long[]> waiting() {
    return chunks.waiting();
  }

  /** Forgets everything that waits, and gives memory back; {@link #flush} comes before. */
  @Override
  public void close() {
    chunks.close();
  }
}
