package org.hyperslab.plugins.nativevol.transfer;

import org.hyperslab.format.memory.BufferPool;

/**
 * The threads and buffers that all transfers of a connector share.
 *
 * <p>Thread rule: any thread.
 *
 * @param workers the threads
 * @param buffers the pool of buffers outside the heap
 * @param arrays the pool of arrays for decoded chunks
 */
public record TransferResources(Workers workers, BufferPool buffers, ArrayPool arrays)
    implements AutoCloseable {

  private static final long KEPT_BYTES = 64L << 20;

  /**
   * Creates resources with an array pool of the default bound.
   *
   * @param workers the threads
   * @param buffers the pool of buffers outside the heap
   */
  public TransferResources(Workers workers, BufferPool buffers) {
    this(workers, buffers, new ArrayPool(KEPT_BYTES));
  }

  /**
   * {@return new resources with a thread for each core and pools of the default bounds; the caller
   * closes them}
   */
  public static TransferResources standard() {
    return new TransferResources(new Workers(0), new BufferPool(KEPT_BYTES));
  }

  /**
   * {@return the resources that all connectors of this process share and none closes: a thread for
   * each core, and pools that keep at most 64 MiB each of unused buffers and arrays} They outlive
   * connectors because a program may open one file after another, and fresh memory and threads are
   * slow.
   */
  public static TransferResources shared() {
    return Shared.INSTANCE;
  }

  /**
   * {@return these resources, limited to a number of threads}
   *
   * @param threads the number of threads; 0 for no limit
   */
  public TransferResources withThreads(int threads) {
    return threads == 0 ? this : new TransferResources(workers.atMost(threads), buffers, arrays);
  }

  @Override
  public void close() {
    workers.close();
    buffers.close();
  }

  /** Creates the shared resources at the first use. */
  private static final class Shared {
    static final TransferResources INSTANCE =
        new TransferResources(new Workers(0), BufferPool.ofProcess());
  }
}
