/**
 * The connector {@code jhdf}, which reads HDF5 files with jHDF, and filter plugins written for jHDF
 * as filters of Hyperslab.
 */
module org.hyperslab.plugins.jhdf {
  requires transitive org.hyperslab.spi;
  requires io.jhdf;

  exports org.hyperslab.plugins.jhdf;

  uses io.jhdf.filter.Filter;

  provides org.hyperslab.format.filter.FilterProvider with
      org.hyperslab.plugins.jhdf.JhdfFilters;
  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.jhdf.JhdfConnectorFactory;
}
