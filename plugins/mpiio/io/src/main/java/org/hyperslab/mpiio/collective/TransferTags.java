package org.hyperslab.mpiio.collective;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assigns a tag to each transfer that is started on a communicator, the same on all ranks, which
 * start transfers in the same order. A tag is reused after 16,384 others. The tag of a transfer
 * that has ended on this rank is free, because messages with a tag arrive in order.
 *
 * <p>Thread rule: safe; the order is the caller's.
 */
final class TransferTags {

  /** The first tag, above that of blocking transfers. */
  private static final int FIRST = 1000;

  private static final int COUNT = 1 << 14;

  private final AtomicInteger given = new AtomicInteger();

  int next() {
    return FIRST + given.getAndUpdate(number -> (number + 1) % COUNT);
  }
}
