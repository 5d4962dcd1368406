/**
 * Provides the connector {@code log}, which appends raw data to a log on fast storage and migrates
 * it to the file later.
 */
module org.hyperslab.plugins.log {
  requires transitive org.hyperslab.spi;
  requires org.hyperslab.plugins.codec;
  requires org.hyperslab.plugins.compacting;

  exports org.hyperslab.plugins.log;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.log.LogConnectorFactory;
}
