package org.hyperslab.remote;

import java.util.Map;
import org.hyperslab.error.InvalidUseException;

/**
 * How long and how often a server is asked. Every time is in milliseconds.
 *
 * @param idleMillis the longest time in which a server may send nothing
 * @param requestMillis the longest time of one request, up to the last byte of its answer
 * @param totalMillis the longest time of a request with all its repetitions and the pauses between
 *     them
 * @param attempts the number of times that a request is made at most
 */
record Patience(long idleMillis, long requestMillis, long totalMillis, int attempts) {

  static final String IDLE = "remote.idleMillis";
  static final String REQUEST = "remote.requestMillis";
  static final String TOTAL = "remote.totalMillis";
  static final String ATTEMPTS = "remote.attempts";

  /** The patience of openings without properties. */
  static final Patience DEFAULT = new Patience(60_000, 300_000, 900_000, 5);

  private static final int MOST_ATTEMPTS = 1000;
  private static final double FIRST_PAUSE_MILLIS = 200;
  private static final double LONGEST_PAUSE_MILLIS = 20_000;

  /**
   * Reads the properties of an opening.
   *
   * @throws InvalidUseException if one is malformed
   */
  static Patience of(Map<String, String> properties) {
    String attempts = properties.getOrDefault(ATTEMPTS, Integer.toString(DEFAULT.attempts));
    if (!attempts.matches("[1-9][0-9]{0,3}") || Integer.parseInt(attempts) > MOST_ATTEMPTS) {
      throw new InvalidUseException(
          ATTEMPTS + ": actual=" + attempts + ", expected=1 to " + MOST_ATTEMPTS);
    }
    return new Patience(
        millis(properties, IDLE, DEFAULT.idleMillis),
        millis(properties, REQUEST, DEFAULT.requestMillis),
        millis(properties, TOTAL, DEFAULT.totalMillis),
        Integer.parseInt(attempts));
  }

  private static long millis(Map<String, String> properties, String name, long usual) {
    String millis = properties.getOrDefault(name, Long.toString(usual));
    if (!millis.matches("[1-9][0-9]{0,8}")) {
      throw new InvalidUseException(
          name + ": actual=" + millis + ", expected=milliseconds from 1 to 999999999");
    }
    return Long.parseLong(millis);
  }

  /**
   * Returns the pause in milliseconds before a request is repeated. It is twice as long after each
   * attempt, and different for each client, so that the clients of a server that was overloaded do
   * not all come back at once.
   *
   * @param attempt the number of attempts made, from 1
   * @param random a random number from 0 to 1
   */
  static long pauseMillis(int attempt, double random) {
    double most = FIRST_PAUSE_MILLIS * Math.pow(2, attempt - 1.0);
    return Math.round(Math.min(most, LONGEST_PAUSE_MILLIS) * (0.5 + random / 2));
  }
}
