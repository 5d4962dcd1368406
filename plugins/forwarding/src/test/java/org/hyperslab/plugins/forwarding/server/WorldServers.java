package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.plugins.forwarding.wire.WireNetwork;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.base.Scheduling;

/** Makes servers for worlds. */
public final class WorldServers {

  private WorldServers() {}

  /** {@return a server that has started} */
  public static StageServer start(
      ServerOptions options, Connector below, Scheduling scheduling, WireNetwork network) {
    return StageServer.start(options, below, scheduling, network);
  }
}
