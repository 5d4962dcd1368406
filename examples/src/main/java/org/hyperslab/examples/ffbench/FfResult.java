package org.hyperslab.examples.ffbench;

/**
 * What came of one scenario.
 *
 * @param scenario which
 * @param without the run without a compactor
 * @param with the run with one
 * @param ratio seconds with one by those without, pair by pair
 */
public record FfResult(FfScenario scenario, Run without, Run with, FfRatio ratio) {

  /**
   * One run.
   *
   * @param requests raw-data requests that the clients made
   * @param requestsBelow raw-data requests that reached the connector below the compactor; -1 where
   *     that cannot be seen
   * @param bytes bytes of the clients' requests
   * @param seconds until the last client had what it waited for
   */
  public record Run(long requests, long requestsBelow, long bytes, double seconds) {}

  /** {@return the fraction of the time that the compactor saved, from 0 to 1} */
  public double saving() {
    return 1 - with.seconds / without.seconds;
  }
}
