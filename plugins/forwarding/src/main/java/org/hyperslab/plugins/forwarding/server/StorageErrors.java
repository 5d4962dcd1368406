package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
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

  private final StageLog log;
  private final RareLines lines;
  private final LongAdder count = new LongAdder();

  /**
   * Creates counters that are zero.
   *
   * @param log where the warnings go
   * @param clock returns the time in nanoseconds, as System.nanoTime does
   */
  StorageErrors(StageLog log, LongSupplier clock) {
    this.log = log;
    this.lines = new RareLines(clock);
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
    long unwritten = lines.unwritten(message.substring(0, Math.max(0, message.indexOf(':'))));
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
}
