package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes what happens to a server as lines of an event and of pairs {@code key=value}. No line has
 * a secret: tokens and the identifiers with which a client continues its session are never given.
 *
 * <p>The logger may wait, for a terminal that is stopped or a pipe that nobody reads. Therefore a
 * thread of its own calls it, lines wait for that thread in a bounded queue, and lines that find it
 * full are counted and left out: no operation waits for the log.
 *
 * <p>Thread rule: any thread.
 */
final class StageLog implements AutoCloseable {

  /** The level of what is usual; one that libraries have, as a program may embed a server. */
  static final Level USUAL = Level.DEBUG;

  private static final int MOST_WAITING = 1024;

  /** The largest number of characters of a value, which a client may have chosen. */
  private static final int LONGEST_VALUE = 500;

  private static final int IDLE_SECONDS = 5;
  private static final int CLOSING_SECONDS = 2;

  private final System.Logger logger;
  private final ThreadPoolExecutor writer;
  private final AtomicLong dropped = new AtomicLong();
  private long reported; // confined to the writer's thread

  /**
   * Creates a log without a thread, which its first line starts.
   *
   * @param logger writes the lines
   */
  StageLog(System.Logger logger) {
    this.logger = logger;
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("hyperslab-stage-log").factory(),
            (line, full) -> dropped.incrementAndGet());
    writer.allowCoreThreadTimeOut(true);
  }

  /**
   * Writes a line, later.
   *
   * @param level the level
   * @param event what has happened
   * @param pairs keys and values by turns; a pair without a value is left out
   */
  void log(Level level, String event, Object... pairs) {
    if (logger.isLoggable(level)) {
      String text = line(event, pairs);
      writer.execute(() -> write(level, text));
    }
  }

  /**
   * Writes a line about a session, later.
   *
   * @param level the level
   * @param event what has happened
   * @param client the name of the session's client
   * @param session the session's number
   * @param pairs keys and values by turns; a pair without a value is left out
   */
  void of(Level level, String event, String client, int session, Object... pairs) {
    List<Object> all = new ArrayList<>(List.of("client", client, "session", session));
    all.addAll(Arrays.asList(pairs));
    log(level, event, all.toArray());
  }

  private void write(Level level, String text) {
    try {
      logger.log(level, text);
      long lost = dropped.get();
      if (lost != reported) {
        logger.log(Level.WARNING, line("dropped", "lines", lost - reported));
        reported = lost;
      }
    } catch (RuntimeException failed) {
      dropped.incrementAndGet(); // a logger that fails is no reason to end a server
    }
  }

  /** {@return the number of lines that were left out} */
  long dropped() {
    return dropped.get();
  }

  /** Waits, for a short time, until the lines are written; later ones are left out. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      writer.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return a line as it is written} */
  static String line(String event, Object... pairs) {
    StringBuilder line = new StringBuilder("event=").append(event);
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      if (pairs[i + 1] != null) {
        line.append(' ').append(pairs[i]).append('=');
        value(line, pairs[i + 1].toString());
      }
    }
    return line.toString();
  }

  /** Appends a value, in quotes if it needs them; it never continues on another line. */
  private static void value(StringBuilder line, String whole) {
    boolean isLong = whole.length() > LONGEST_VALUE;
    String text = isLong ? whole.substring(0, LONGEST_VALUE) + "..." : whole;
    if (text.matches("[A-Za-z0-9._:/@+-]+")) {
      line.append(text);
      return;
    }
    line.append('"');
    text.chars()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            line.append('\\');
          }
          line.append(isPrintable(c) ? (char) c : ' ');
        });
    line.append('"');
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
