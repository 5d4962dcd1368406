package org.hyperslab.plugins.forwarding.client;

import java.util.SplittableRandom;

/**
 * The pauses between attempts to reach a server again. They grow, so that a server that is down for
 * longer is not asked many times a second, and are drawn by chance, so that the clients of a server
 * that comes back do not all ask at the same time.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReconnectPauses {

  private static final long FIRST_MILLIS = 50;
  private static final long LONGEST_MILLIS = 2000;

  private final SplittableRandom chance;
  private long mostMillis = FIRST_MILLIS;

  /**
   * Starts with the shortest pause.
   *
   * @param seed determines the pauses; differs among clients, as the numbers of sessions do
   */
  ReconnectPauses(long seed) {
    chance = new SplittableRandom(seed);
  }

  /** {@return the next pause in milliseconds: from half to all of a time that doubles up to 2 s} */
  long nextMillis() {
    long pause = chance.nextLong(mostMillis / 2, mostMillis + 1);
    mostMillis = Math.min(LONGEST_MILLIS, 2 * mostMillis);
    return pause;
  }
}
