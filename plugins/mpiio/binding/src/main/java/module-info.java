/** A binding to MPI through the foreign function interface. */
module org.hyperslab.mpi {
  requires transitive org.hyperslab.format;
  requires java.logging;

  exports org.hyperslab.mpi;
}
