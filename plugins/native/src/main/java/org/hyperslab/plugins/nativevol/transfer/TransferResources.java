package org.hyperslab.plugins.nativevol.transfer;

/**
 * What all transfers of a connector share: threads and buffers.
 *
 * <p>Thread rule: any thread.
 *
 * @param workers threads
 * @param buffers buffers outside the heap
 */
public record TransferResources(Workers workers, BufferPool buffers) implements AutoCloseable {

  private static final long KEPT_BYTES = 64L << 20;

  /** A thread for each core, and buffers that are kept while unused up to 64 MiB. */
  public static TransferResources standard() {
    return new TransferResources(new Workers(0), new BufferPool(KEPT_BYTES));
  }

  /** The same, using at most so many threads; 0 for all. */
  public TransferResources withThreads(int threads) {
    return threads == 0 ? this : new TransferResources(workers.atMost(threads), buffers);
  }

  @Override
  public void close() {
    workers.close();
    buffers.close();
  }
}
