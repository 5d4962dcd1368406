package org.hyperslab.plugins.forwarding.client;

import org.hyperslab.plugins.forwarding.wire.WireNetwork;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.base.Scheduling;

/** Makes clients for worlds. */
public final class WorldClients {

  private WorldClients() {}

  /** {@return a connector with the options of a configuration} */
  public static Connector create(String options, Scheduling scheduling, WireNetwork network) {
    ConnectorConfiguration all = Connectors.parse("forwarding " + options);
    return new ForwardingConnector(ClientOptions.of(all), scheduling, network);
  }
}
