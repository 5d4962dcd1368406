/**
 * Provides the connector {@code configured}, which applies a configuration file to the files,
 * groups and datasets of programs that do not know it.
 */
module org.hyperslab.plugins.configured {
  requires transitive org.hyperslab.spi;
  requires org.snakeyaml.engine;

  exports org.hyperslab.plugins.configured;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.configured.ConfiguredConnectorFactory;
}
