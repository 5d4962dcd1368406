package org.hyperslab.plugins.nativevol.transfer;

import java.util.List;

/**
 * Moves elements between memory and a chunked dataset. Chunks are distributed over threads: one
 * thread reads, decodes and moves a chunk, or fills and encodes it. Only the caller's thread
 * allocates places in the file, in the order of chunks, so that equal calls produce equal files.
 *
 * <p>Chunks without filters are read and written in place, run by run. A filtered chunk that is
 * written in part stays decoded in memory until it is evicted or {@link #flush}ed. {@link
 * SmallChunks} moves a few elements of many small chunks.
 *
 * <p>Thread rule: any number of readers, or one writer that holds the file's write lock.
 */
public final class ChunkedTransfer implements AutoCloseable {

  private final DecodedChunks chunks;
  private final WholeChunks whole;

  /**
   * Creates the transfers of the chunks of a dataset.
   *
   * @param places the places where chunks are stored
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
   * Reads the selected elements.
   *
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void read(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.targetSize());
    if (!SmallChunks.read(chunks, transfer, mover)) {
      new ChunkedRead(chunks, transfer, mover).run();
    }
  }

  /**
   * Writes the selected elements.
   *
   * @param transfer the elements selected in the file and in memory
   * @param mover converts and copies elements
   */
  public void write(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.sourceSize());
    if (!SmallChunks.write(chunks, transfer, mover)) {
      new ChunkedWrite(chunks, transfer, mover).run();
    }
  }

  /** {@return these chunks as wholes} */
  public WholeChunks whole() {
    return whole;
  }

  /** Encodes and writes the changed chunks in memory; the caller holds the file's write lock. */
  public void flush() {
    chunks.flush();
  }

  /**
   * Discards the cached content of a chunk that was deleted or replaced by other means.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  public void forget(long[] scaled) {
    chunks.forget(scaled);
  }

  /** {@return the coordinates of changed chunks in memory, which may not be allocated yet} */
  public List<long[]> waiting() {
    return chunks.waiting();
  }

  /** Discards all cached chunks and releases their memory; call {@link #flush} before. */
  @Override
  public void close() {
    chunks.close();
  }
}
