package org.hyperslab.plugins.nativevol.transfer;

import org.hyperslab.format.memory.BufferPool;

/**
 * The threads and buffers that all transfers of a connector share.
 *
 * <p>Thread rule: any thread.
 *
 * @param workers threads
 * @param buffers buffers outside the heap
 * @param arrays arrays for decoded chunks
 */
public record TransferResources(Workers workers, BufferPool buffers, ArrayPool arrays)
    implements AutoCloseable {

  private static final long KEPT_BYTES = 64L << 20;

  /**
   * With a pool of arrays that keeps as much as the usual.
   *
   * @param workers the threads
   * @param buffers lends buffers outside the heap
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
   * {@return those that all connectors of this process share and none closes: a thread for each
   * core, and buffers and arrays that are kept while unused, 64 MiB of each at most} They outlive
   * connectors because a program may open one file after the other, and fresh memory and threads
   * are slow.
   */
  public static TransferResources shared() {
    return Shared.INSTANCE;
  }

  /**
   * {@return these resources, using at most a number of threads; 0 for all}
   *
   * @param threads the number of threads; 0 for one for each core
   */
  public TransferResources withThreads(int threads) {
    return threads == 0 ? this : new TransferResources(workers.atMost(threads), buffers, arrays);
  }

  @Override
  public void close() {
    workers.close();
    buffers.close();
  }

  /** Made at the first use. */
  private static final class Shared {
    static final TransferResources INSTANCE = standard();
  }
}
