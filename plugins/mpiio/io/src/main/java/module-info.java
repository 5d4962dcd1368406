/** Communicators of threads or processes, MPI-IO, and its collective algorithms; no HDF5. */
@SuppressWarnings("module") // this module is compiled before the ones to which it exports
module org.hyperslab.mpiio {
  requires transitive org.hyperslab.format;
  requires transitive org.hyperslab.mpi;

  uses org.hyperslab.mpiio.machines.MachineService;
  uses org.hyperslab.mpiio.plan.AlgorithmProvider;

  exports org.hyperslab.mpiio;
  exports org.hyperslab.mpiio.comm;
  exports org.hyperslab.mpiio.datatype;
  exports org.hyperslab.mpiio.declared;
  exports org.hyperslab.mpiio.file;
  exports org.hyperslab.mpiio.hint;
  exports org.hyperslab.mpiio.waiting;
  exports org.hyperslab.mpiio.access to
      org.hyperslab.baselines,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.collective to
      org.hyperslab.plugins.mpiio;
  exports org.hyperslab.mpiio.machines to
      org.hyperslab.placement,
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.plan to
      org.hyperslab.baselines,
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.put to
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.schedule to
      org.hyperslab.baselines,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.staged to
      org.hyperslab.simulation;
  exports org.hyperslab.mpiio.store to
      org.hyperslab.baselines,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.simulation;
}
