/**
 * Defines operations as values, the contract that every connector keeps, configurations of
 * connectors, and pass-through connectors.
 */
module org.hyperslab.spi {
  requires transitive org.hyperslab.model;
  requires static org.jspecify;

  exports org.hyperslab.vol;
  exports org.hyperslab.vol.base;
  exports org.hyperslab.vol.passthrough;

  uses org.hyperslab.vol.ConnectorFactory;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.vol.passthrough.TracingConnectorFactory,
      org.hyperslab.vol.passthrough.AsyncConnectorFactory,
      org.hyperslab.vol.passthrough.CachingConnectorFactory;
}
