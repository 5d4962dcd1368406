/** Converts files of other formats to HDF5 and back, over any connector. */
module org.hyperslab.convert {
  requires transitive org.hyperslab.api;
  requires org.hyperslab.interchange;
  requires org.hyperslab.spi;
  requires transitive org.hyperslab.netcdf;
  requires org.apache.commons.compress;
  requires static org.jspecify;

  exports org.hyperslab.convert;
  exports org.hyperslab.convert.options;
  exports org.hyperslab.convert.zarr.connector;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
}
