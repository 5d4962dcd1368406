package org.hyperslab.examples.ffbench;

import java.util.Map;

/**
 * Where and by what it is measured.
 *
 * @param folder where the files go, as the connectors understand it
 * @param without the configuration of the connector without a compactor
 * @param with that with one
 * @param separateSessions whether each client has a connection of its own, as over a network;
 *     otherwise all share one, and say in each request which client they are
 * @param properties of the files that are opened, such as what requests cost
 * @param repeats how often each is run; the median counts
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
