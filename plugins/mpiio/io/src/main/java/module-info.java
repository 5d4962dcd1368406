/** Communicators of threads or processes, MPI-IO, and its collective algorithms; no HDF5. */
@SuppressWarnings("module") // this module is compiled before the one to which it exports
module org.hyperslab.mpiio {
  requires transitive org.hyperslab.format;
  requires transitive org.hyperslab.mpi;
  requires java.xml;

  exports org.hyperslab.mpiio.access to
      org.hyperslab.plugins.mpiio;
  exports org.hyperslab.mpiio.collective to
      org.hyperslab.plugins.mpiio;
  exports org.hyperslab.mpiio.comm;
  exports org.hyperslab.mpiio.file;
  exports org.hyperslab.mpiio.declared;
  exports org.hyperslab.mpiio.hint;
  exports org.hyperslab.mpiio.machine;
}
