package org.hyperslab.web.limit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.hyperslab.error.LimitExceededException;

/**
 * The memory that all requests of a server share for elements and texts. A smaller part is set
 * apart, from which each request may take a little when the share is in use: small requests are
 * answered while large replies wait for their clients. Requests that wait get memory in the order
 * in which they have asked.
 *
 * <p>Thread rule: any thread; none waits.
 */
public final class MemoryShare {

  private static final int UNIT = 1 << 16;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long LEAST_BYTES = 16L << 20;
  private static final long MOST_BYTES = 512L << 20;

  /** The most that a request may take of what is set apart, in units: the text of a list. */
  public static final int MOST_APART = 4;

  /** The share, divided by what is set apart. */
  private static final int PARTS = 8;

  private final int units;
  private final Duration patience;
  private final Deque<Waiter> waiting = new ArrayDeque<>();
  private int free;
  private int apart;

  /** A request that waits for memory. */
  public final class Waiter {
    private final int count;
    private final Runnable granted;

    private Waiter(int count, Runnable granted) {
      this.count = count;
      this.granted = granted;
    }

    /**
     * Ends the waiting.
     *
     * @return whether it still waited; otherwise it has its memory
     */
    public boolean cancel() {
      return forget(this);
    }
  }

  /**
   * Creates a share.
   *
   * @param bytes its size, without what is set apart
   * @param patience the longest time for which a request waits
   */
  public MemoryShare(long bytes, Duration patience) {
    this.units = Math.toIntExact(Math.max(1, bytes / UNIT));
    this.patience = patience;
    this.free = units;
    this.apart = Math.max(MOST_APART, units / PARTS);
  }

  /** {@return a share of a quarter of the heap, within bounds} */
  public static MemoryShare ofHeap() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return new MemoryShare(Math.clamp(quarter, LEAST_BYTES, MOST_BYTES), PATIENCE);
  }

  /** {@return the longest time for which a request waits} */
  public Duration patience() {
    return patience;
  }

  /**
   * {@return the units for a number of bytes}
   *
   * @param bytes the number of bytes
   * @throws LimitExceededException if the whole share is smaller
   */
  int unitsOf(long bytes) {
    long needed = (bytes + UNIT - 1) / UNIT;
    if (needed > units) {
      throw new LimitExceededException(
          "memory for one reply: actual="
              + bytes
              + " bytes, expected=at most "
              + (long) units * UNIT
              + "; request a part with a selection, or start the server with a larger heap"
              + " (HYPERSLAB_JAVA_OPTS=-Xmx4g)");
    }
    return (int) needed;
  }

  /**
   * Takes memory of the share.
   *
   * @param bytes the number of bytes
   * @param heldApart the units that the request holds of what is set apart
   * @return what {@link #free} takes: the number of units, negative if they were set apart
   * @throws LimitExceededException if the whole share is smaller
   * @throws MemoryShortage if too little is free, or others wait
   */
  synchronized int take(long bytes, int heldApart) {
    int count = unitsOf(bytes);
    if (waiting.isEmpty() && count <= free) {
      free -= count;
      return count;
    }
    if (count + heldApart <= MOST_APART && count <= apart) {
      apart -= count;
      return -count;
    }
    throw new MemoryShortage(bytes, count);
  }

  /**
   * Waits for memory, after those that wait already.
   *
   * @param count the number of units
   * @param granted called once the units are taken, by the thread that has freed them, or by this
   *     one; it must not wait
   * @return the waiting
   * @throws LimitExceededException if the whole share is smaller
   */
  Waiter await(int count, Runnable granted) {
    unitsOf((long) count * UNIT);
    Waiter waiter = new Waiter(count, granted);
    List<Waiter> served;
    synchronized (this) {
      waiting.add(waiter);
      served = serve();
    }
    served.forEach(each -> each.granted.run());
    return waiter;
  }

  private boolean forget(Waiter waiter) {
    List<Waiter> served;
    boolean waited;
    synchronized (this) {
      waited = waiting.remove(waiter);
      served = serve();
    }
    served.forEach(each -> each.granted.run());
    return waited;
  }

  /** Takes the memory of those that wait, the first first. */
  private List<Waiter> serve() {
    List<Waiter> served = new ArrayList<>();
    while (!waiting.isEmpty() && waiting.peek().count <= free) {
      free -= waiting.peek().count;
      served.add(waiting.remove());
    }
    return served;
  }

  /**
   * Returns memory to the share.
   *
   * @param taken what {@link #take} has returned
   */
  void free(int taken) {
    List<Waiter> served;
    synchronized (this) {
      if (taken < 0) {
        apart -= taken;
      } else {
        free += taken;
      }
      served = serve();
    }
    served.forEach(each -> each.granted.run());
  }
}
