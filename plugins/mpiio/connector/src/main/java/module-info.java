/** The connector {@code mpiio}: many ranks, one HDF5 file. */
module org.hyperslab.plugins.mpiio {
  requires transitive org.hyperslab.mpiio;
  requires transitive org.hyperslab.spi;
  requires org.hyperslab.plugins.codec;
  requires org.hyperslab.plugins.nativevol;

  exports org.hyperslab.plugins.mpiio;
  exports org.hyperslab.plugins.mpiio.report;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.mpiio.MpiioConnectorFactory;
}
