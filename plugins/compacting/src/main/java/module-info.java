/**
 * Provides the compacting connector, which merges raw data requests before they reach the connector
 * below it.
 */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.plugins.compacting {
  requires transitive org.hyperslab.spi;

  exports org.hyperslab.plugins.compacting;
  exports org.hyperslab.plugins.compacting.options;
  exports org.hyperslab.plugins.compacting.report;
  exports org.hyperslab.plugins.compacting.plan to
      org.hyperslab.plugins.log;
  exports org.hyperslab.plugins.compacting.storage to
      org.hyperslab.plugins.log;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.compacting.CompactingConnectorFactory;
}
