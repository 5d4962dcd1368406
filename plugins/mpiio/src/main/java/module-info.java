/** Many ranks, one file: communicators, the MPI binding, MPI-IO and its collective algorithms. */
module org.hyperslab.plugins.mpiio {
  requires org.hyperslab.vol;
}
