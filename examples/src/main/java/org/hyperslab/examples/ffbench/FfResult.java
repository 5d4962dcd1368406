package org.hyperslab.examples.ffbench;

/**
 * The result of one scenario.
 *
 * @param scenario the scenario
 * @param without the run without a compactor
 * @param with the run with one
 * @param ratio the ratio of the seconds with a compactor to those without, pair by pair
 */
public record FfResult(FfScenario scenario, Run without, Run with, FfRatio ratio) {

  /**
   * The counts and the time of one run.
   *
   * @param requests the number of raw-data requests of the clients
   * @param requestsBelow the number of raw-data requests that reached the connector below the
   *     compactor; -1 if unknown
   * @param bytes the number of bytes of the clients' requests
   * @param seconds the time until the last client had its replies
   */
  public record Run(long requests, long requestsBelow, long bytes, double seconds) {}

  /** {@return the fraction of the time that the compactor saved, from 0 to 1} */
  public double saving() {
    return 1 - with.seconds / without.seconds;
  }
}
