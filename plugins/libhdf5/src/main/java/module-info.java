/** Runs programs written for libhdf5 on the connectors of this project. */
@SuppressWarnings("module") // the library is named so
module org.hyperslab.plugins.libhdf5 {
  requires org.hyperslab.mpi;
  requires org.hyperslab.mpiio;
  requires transitive org.hyperslab.spi;

  exports org.hyperslab.plugins.libhdf5;

  provides org.hyperslab.format.filter.FilterProvider with
      org.hyperslab.plugins.libhdf5.filter.ProgramFilters;
}
