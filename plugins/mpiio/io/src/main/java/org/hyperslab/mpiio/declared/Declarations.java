package org.hyperslab.mpiio.declared;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The declarations of a rank on a communicator, and what they share: tags, and a window. Closed
 * with the communicator, it gives up the declarations that are still open.
 *
 * <p>Each declaration has a tag of its own, the same on all ranks, which declare in the same order.
 * A tag is used again after 8,192 others.
 *
 * <p>Thread rule: one thread, the communicator's.
 */
final class Declarations implements AutoCloseable {

  /** Beyond the tags of started transfers. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 1 << 13;

  private final AtomicInteger given = new AtomicInteger();
  private final KeptWindow window = new KeptWindow();
  private final Set<DeclaredWrites> open = ConcurrentHashMap.newKeySet();

  int nextTag() {
    return FIRST + given.getAndUpdate(number -> (number + 1) % COUNT);
  }

  KeptWindow window() {
    return window;
  }

  void opened(DeclaredWrites writes) {
    open.add(writes);
  }

  void closed(DeclaredWrites writes) {
    open.remove(writes);
  }

  @Override
  public void close() {
    open.forEach(DeclaredWrites::giveUp);
    window.close();
  }
}
