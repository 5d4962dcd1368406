/** Many ranks, one file: communicators, the MPI binding, MPI-IO and its collective algorithms. */
module org.hyperslab.plugins.mpiio {
  requires transitive org.hyperslab.vol;
  requires org.hyperslab.plugins.codec;
  requires org.hyperslab.plugins.nativevol;
  requires java.logging;

  exports org.hyperslab.mpi;
  exports org.hyperslab.plugins.mpiio.access;
  exports org.hyperslab.plugins.mpiio.collective;
  exports org.hyperslab.plugins.mpiio.comm;
  exports org.hyperslab.plugins.mpiio.file;
  exports org.hyperslab.plugins.mpiio.datatype;
  exports org.hyperslab.plugins.mpiio.hint;
  exports org.hyperslab.plugins.mpiio.transfer;
  exports org.hyperslab.plugins.mpiio.schedule;
  exports org.hyperslab.plugins.mpiio.report;
  exports org.hyperslab.plugins.mpiio.view;
  exports org.hyperslab.plugins.mpiio;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.mpiio.MpiioConnectorFactory;
}
