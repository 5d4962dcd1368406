package org.hyperslab.plugins.forwarding.world;

/** Runs histories from the command line: the first seed, and their number. */
public final class HistoryCampaign {

  private HistoryCampaign() {}

  /**
   * Runs histories until one fails.
   *
   * @param first the first seed
   * @param count the largest number of histories
   * @return the seed and the failure; null if there is none
   */
  public static String firstFailure(long first, long count) {
    for (long seed = first; seed < first + count; seed++) {
      StagedHistory history = new StagedHistory(seed);
      try {
        history.run();
      } catch (Throwable failure) {
        return "seed " + seed + " (" + history.trouble() + "): " + failure.getMessage();
      }
    }
    return null;
  }

  public static void main(String[] args) {
    long first = Long.parseLong(args[0]);
    long count = Long.parseLong(args[1]);
    long begun = System.nanoTime();
    long steps = 0;
    int failures = 0;
    for (long seed = first; seed < first + count; seed++) {
      StagedHistory history = new StagedHistory(seed);
      try {
        history.run();
      } catch (Throwable failure) {
        failures++;
        System.out.println("seed " + seed + " " + history.trouble() + ": " + failure.getMessage());
        if (count == 1 || failures <= 3) {
          failure.printStackTrace(System.out);
        }
      }
      steps += history.staged().world().steps();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    System.out.printf(
        "%d histories, %d failed, %.0f steps each, %.1f s, %.0f a minute%n",
        count, failures, (double) steps / count, seconds, count / seconds * 60);
  }
}
