package org.hyperslab.simulation;

import org.hyperslab.error.InvalidUseException;

/** The models of messages between ranks. */
public enum SimulatedNetwork {
  /**
   * Messages are flows that share the links of their routes max-min fairly; those of up to 4 KiB
   * occupy only the injection and the ejection of their nodes.
   */
  FLOWS,
  /** LogGP: messages occupy the injection and the ejection of nodes; links have no load. */
  LOGGP;

  /**
   * Returns the model with a name.
   *
   * @param name {@code flows} or {@code loggp}
   * @return the model
   * @throws InvalidUseException if no model has that name
   */
  public static SimulatedNetwork parse(String name) {
    return switch (name) {
      case "flows" -> FLOWS;
      case "loggp" -> LOGGP;
      default ->
          throw new InvalidUseException(
              "model of the network: actual=" + name + ", expected=flows or loggp");
    };
  }
}
