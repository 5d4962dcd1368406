/**
 * Defines operations as values, the contract that every connector keeps, configurations of
 * connectors, and pass-through connectors.
 */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.spi {
  requires transitive org.hyperslab.model;
  requires static org.jspecify;

  exports org.hyperslab.vol;
  exports org.hyperslab.vol.base;
  exports org.hyperslab.vol.passthrough;
  exports org.hyperslab.vol.query to
      org.hyperslab.plugins.nativevol,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.convert;

  uses org.hyperslab.vol.ConnectorFactory;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.vol.passthrough.TracingConnectorFactory,
      org.hyperslab.vol.passthrough.AsyncConnectorFactory,
      org.hyperslab.vol.passthrough.CachingConnectorFactory,
      org.hyperslab.vol.passthrough.IndexingConnectorFactory;
}
