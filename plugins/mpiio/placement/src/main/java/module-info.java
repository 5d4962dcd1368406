/** A running job on a described machine. */
@SuppressWarnings("module") // the exporting module is compiled before this one
module org.hyperslab.placement {
  requires transitive org.hyperslab.machine;
  requires transitive org.hyperslab.mpiio;

  exports org.hyperslab.placement;

  provides org.hyperslab.mpiio.machines.MachineService with
      org.hyperslab.placement.service.DescribedMachines;
}
