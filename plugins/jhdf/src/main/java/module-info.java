/** The connector {@code jhdf}: reads HDF5 files with jHDF, a second, independent pair of eyes. */
module org.hyperslab.plugins.jhdf {
  requires org.hyperslab.vol;
  requires io.jhdf;

  exports org.hyperslab.plugins.jhdf;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.jhdf.JhdfConnectorFactory;
}
