package org.hyperslab.plugins.forwarding.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides which lines of a log are written: the first of each kind, then one a minute. The number
 * of kinds is bounded; those that come later have one in common.
 *
 * <p>Thread rule: any thread.
 */
final class RareLines {

  /** The shortest time between two lines of a kind. */
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The largest number of kinds. */
  static final int MOST_KINDS = 32;

  private static final String OTHERS = "";

  private final LongSupplier clock;

  /** Guarded by itself. */
  private final Map<String, Told> kinds = new HashMap<>();

  /** When a kind was last written, and how many have come since. */
  private static final class Told {
    private long nanos;
    private long since;
  }

  /**
   * Creates one that has seen no line.
   *
   * @param clock returns the time in nanoseconds, as System.nanoTime does
   */
  RareLines(LongSupplier clock) {
    this.clock = clock;
  }

  /** {@return how many of a kind were not written since the last line, or -1 to write none} */
  long unwritten(String kind) {
    long now = clock.getAsLong();
    synchronized (kinds) {
      Told told = kinds.get(kinds.size() < MOST_KINDS || kinds.containsKey(kind) ? kind : OTHERS);
      if (told == null) {
        told = new Told();
        kinds.put(kinds.size() < MOST_KINDS ? kind : OTHERS, told);
      } else if (now - told.nanos < PAUSE_NANOS) {
        told.since++;
        return -1;
      }
      long unwritten = told.since;
      told.nanos = now;
      told.since = 0;
      return unwritten;
    }
  }
}
