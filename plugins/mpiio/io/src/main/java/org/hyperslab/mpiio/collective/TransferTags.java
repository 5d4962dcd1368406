package org.hyperslab.mpiio.collective;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives each transfer that is started on a communicator a tag of its own, the same on all ranks,
 * which start transfers in the same order. A tag is used again after 16,384 others; that of a
 * transfer which has ended on this rank is free, for messages of a tag arrive in order.
 *
 * <p>Thread rule: safe; the order is the caller's.
 */
final class TransferTags {

  /** Beyond that of transfers that are waited for. */
  private static final int FIRST = 1000;

  private static final int COUNT = 1 << 14;

  private final AtomicInteger given = new AtomicInteger();

  int next() {
    return FIRST + given.getAndUpdate(number -> (number + 1) % COUNT);
  }
}
