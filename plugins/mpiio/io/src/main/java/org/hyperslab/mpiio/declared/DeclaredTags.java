package org.hyperslab.mpiio.declared;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives each declaration on a communicator a tag of its own, the same on all ranks, which declare
 * in the same order. A tag is used again after 8,192 others.
 *
 * <p>Thread rule: safe; the order is the caller's.
 */
final class DeclaredTags {

  /** Beyond those of started transfers. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 1 << 13;

  private final AtomicInteger given = new AtomicInteger();

  int next() {
    return FIRST + given.getAndUpdate(number -> (number + 1) % COUNT);
  }
}
