/**
 * Reads and writes HDF5 files on this machine: metadata, allocation, chunk cache, threads,
 * crash-safe flush.
 */
@SuppressWarnings("module") // this module is compiled before the one to which it exports
module org.hyperslab.plugins.nativevol {
  requires transitive org.hyperslab.spi;

  // The engine, for ranks that share one; programs name the connector in a configuration.
  exports org.hyperslab.plugins.nativevol to
      org.hyperslab.plugins.mpiio;

  // Moves chunks and runs of elements, for ranks that transfer raw data without the engine.
  exports org.hyperslab.plugins.nativevol.raw to
      org.hyperslab.plugins.mpiio;
  exports org.hyperslab.plugins.nativevol.transfer to
      org.hyperslab.plugins.mpiio;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.nativevol.NativeConnectorFactory;
}
