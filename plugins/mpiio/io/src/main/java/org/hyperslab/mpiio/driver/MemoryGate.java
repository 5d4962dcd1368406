package org.hyperslab.mpiio.driver;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Guards a rank's memory: other ranks of the process enter before they copy from or to it, and
 * leave afterwards. After it has been closed no rank can enter.
 *
 * <p>Thread rule: safe.
 */
public final class MemoryGate {

  private static final int CLOSED = 1 << 30;

  /** Creates an open gate. */
  public MemoryGate() {}

  /** The number of ranks inside, and the flag {@link #CLOSED}. */
  private final AtomicInteger state = new AtomicInteger();

  /** Enters; returns whether the gate was open. A rank that has entered must leave. */
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

  /** Leaves the gate that {@link #enter} has entered. */
  void leave() {
    state.decrementAndGet();
  }

  /**
   * Closes the gate permanently, so that no rank can enter any more.
   *
   * @return whether no rank is inside
   */
  public boolean close() {
    return state.updateAndGet(now -> now | CLOSED) == CLOSED;
  }
}
