/** Machines as values: networks, nodes, storage; assignment and mapping of work to them. No MPI. */
module org.hyperslab.machine {
  requires transitive org.hyperslab.format;
  requires java.xml;

  exports org.hyperslab.machine;
  exports org.hyperslab.machine.assignment;
  exports org.hyperslab.machine.mapping;
}
