/** Defines the public API, operations as values, and the contract that every connector keeps. */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.vol {
  requires transitive org.hyperslab.format;

  exports org.hyperslab;
  exports org.hyperslab.model;
  exports org.hyperslab.vol;
  exports org.hyperslab.vol.passthrough;
  exports org.hyperslab.scales to
      org.hyperslab.convert,
      org.hyperslab.netcdf,
      org.hyperslab.web;

  uses org.hyperslab.vol.ConnectorFactory;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.vol.passthrough.TracingConnectorFactory,
      org.hyperslab.vol.passthrough.AsyncConnectorFactory,
      org.hyperslab.vol.passthrough.CachingConnectorFactory;
}
