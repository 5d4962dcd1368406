/** Remote staging servers: wire, client, server, task engine, compactor and journal. */
module org.hyperslab.plugins.forwarding {
  requires transitive org.hyperslab.vol;

  exports org.hyperslab.plugins.forwarding.compact;
  exports org.hyperslab.plugins.forwarding.task;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.forwarding.compact.CompactingConnectorFactory;
}
