/** Collective I/O in virtual time on a described machine. */
module org.hyperslab.simulation {
  requires transitive org.hyperslab.machine;
  requires transitive org.hyperslab.mpiio;

  exports org.hyperslab.simulation;
}
