package org.hyperslab.examples.ffbench;

import java.util.Map;

/**
 * The setup of a measurement.
 *
 * @param folder the folder of the files, as a path or URI of the connectors
 * @param without the configuration of the connector without a compactor
 * @param with the configuration of the connector with a compactor
 * @param separateSessions whether each client has its own connection, as over a network; otherwise
 *     all share one, and each request names its client
 * @param properties the properties for opening files, such as the cost of requests
 * @param repeats the number of runs of each scenario; the median counts
 */
public record FfSetup(
    String folder,
    String without,
    String with,
    boolean separateSessions,
    Map<String, String> properties,
    int repeats) {

  /** Copies the properties. */
  public FfSetup {
    properties = Map.copyOf(properties);
  }
}
