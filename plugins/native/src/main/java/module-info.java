/** HDF5 files on this machine: metadata, allocation, chunk cache, threads, crash-safe flush. */
module org.hyperslab.plugins.nativevol {
  requires transitive org.hyperslab.vol;

  exports org.hyperslab.plugins.nativevol;
  exports org.hyperslab.plugins.nativevol.raw;
  exports org.hyperslab.plugins.nativevol.transfer;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.nativevol.NativeConnectorFactory;
}
