package org.hyperslab.mpi;

import java.util.Collection;
import java.util.OptionalInt;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out how the JVM ends. A shutdown hook does not get the exit code but needs it: a rank that
 * ends normally finalises MPI, which waits for the others, while a rank that has failed must not
 * wait, because the others may be waiting for it.
 *
 * <p>The code is taken from the event that {@link Runtime#exit} is documented to log on the logger
 * {@code java.lang.Runtime} at level DEBUG. Where logging goes elsewhere it stays unknown.
 */
final class ExitWatch extends Handler {

  private static final Pattern STATUS = Pattern.compile("status: (-?\\d+)");

  /** Kept referenced: an unreferenced logger is collected, with its handlers. */
  private final Logger logger = Logger.getLogger("java.lang.Runtime");

  private volatile OptionalInt status = OptionalInt.empty();

  /** Starts to listen for the exit event. */
  static ExitWatch install() {
    ExitWatch watch = new ExitWatch();
    watch.setLevel(Level.ALL);
    watch.logger.addHandler(watch);
    if (!watch.logger.isLoggable(Level.FINE)) {
      watch.logger.setLevel(Level.FINE);
    }
    return watch;
  }

  @Override
  public void publish(LogRecord event) {
    Matcher matcher = STATUS.matcher(String.valueOf(event.getMessage()));
    if (matcher.find()) {
      status = OptionalInt.of(Integer.parseInt(matcher.group(1)));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  /** Returns whether the JVM ends because its work is done: for a shutdown hook. */
  boolean endsWell() {
    if (status.isPresent()) {
      return status.getAsInt() == 0;
    }
    Collection<Thread> threads = Thread.getAllStackTraces().keySet();
    return threads.stream().noneMatch(ExitWatch::handlesSignal);
  }

  /** Returns a description of the end of the JVM, for messages. */
  String describe() {
    return status.isPresent() ? "exit code " + status.getAsInt() : "a signal";
  }

  /**
   * Returns whether a signal ends the JVM: after SIGTERM, SIGINT or SIGHUP shutdown runs in a
   * thread of that name.
   */
  private static boolean handlesSignal(Thread thread) {
    return thread.getName().startsWith("SIG") && thread.getName().endsWith(" handler");
  }
}
