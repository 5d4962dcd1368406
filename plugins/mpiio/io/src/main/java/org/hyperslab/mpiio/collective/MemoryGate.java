package org.hyperslab.mpiio.collective;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides who may touch a rank's memory: other ranks of the process enter before they copy from or
 * to it, and leave afterwards. Once it has been closed nobody enters.
 *
 * <p>Thread rule: safe.
 */
final class MemoryGate {

  private static final int CLOSED = 1 << 30;

  /** The number of those inside, and {@link #CLOSED}. */
  private final AtomicInteger state = new AtomicInteger();

  /** Enters; returns whether the gate was open. Who has entered must leave. */
  boolean enter() {
    int before = state.get();
    while (before < CLOSED) {
      if (state.compareAndSet(before, before + 1)) {
        return true;
      }
      before = state.get();
    }
    return false;
  }

  /** Leaves. */
  void leave() {
    state.decrementAndGet();
  }

  /** Closes the gate for good; returns whether nobody is inside any more. */
  boolean close() {
    return state.updateAndGet(now -> now | CLOSED) == CLOSED;
  }
}
