/** The compacting connector: merges raw-data requests before they reach the connector below it. */
module org.hyperslab.plugins.compacting {
  requires transitive org.hyperslab.vol;

  exports org.hyperslab.plugins.compacting;
  exports org.hyperslab.plugins.compacting.plan;
  exports org.hyperslab.plugins.compacting.run;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.compacting.CompactingConnectorFactory;
}
