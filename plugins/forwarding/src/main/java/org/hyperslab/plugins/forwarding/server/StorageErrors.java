package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.hyperslab.error.StorageException;

/**
 * Counts the operations that failed because storage did, such as a full disk, and writes a warning
 * of the first of each kind. More of a kind are written once a minute, with their number.
 *
 * <p>The kind is the beginning of the message, which names what failed. The number of kinds is
 * bounded; those that come later have one in common.
 *
 * <p>Thread rule: any thread.
 */
final class StorageErrors {

  /** The shortest time between two lines of a kind. */
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The largest number of kinds. */
  static final int MOST_KINDS = 32;

  private static final String OTHERS = "";

  private final StageLog log;
  private final LongSupplier clock;
  private final LongAdder count = new LongAdder();

  /** Guarded by itself. */
  private final Map<String, Told> kinds = new HashMap<>();

  /** When a kind was last written, and how many have come since. */
  private static final class Told {
    private long nanos;
    private long since;
  }

  /**
   * Creates counters that are zero.
   *
   * @param log where the warnings go
   * @param clock returns the time in nanoseconds, as System.nanoTime does
   */
  StorageErrors(StageLog log, LongSupplier clock) {
    this.log = log;
    this.clock = clock;
  }

  /** {@return the number of operations that failed} */
  long count() {
    return count.sum();
  }

  /**
   * Counts the failure of an operation, if storage has caused it.
   *
   * @param failure the failure
   * @param client the name of the client whose operation it is
   */
  void failed(Throwable failure, String client) {
    if (!(failure instanceof StorageException storage)) {
      return;
    }
    count.increment();
    String message = String.valueOf(storage.getMessage());
    long unwritten = unwritten(message);
    if (unwritten >= 0) {
      log.log(
          Level.WARNING,
          "storage",
          "client",
          client,
          "error",
          message,
          "more",
          unwritten == 0 ? null : unwritten);
    }
  }

  /** Returns how many of the kind were not written since the last line, or -1 to write none. */
  private long unwritten(String message) {
    long now = clock.getAsLong();
    synchronized (kinds) {
      String kind = message.substring(0, Math.max(0, message.indexOf(':')));
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
