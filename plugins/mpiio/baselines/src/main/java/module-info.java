/** Techniques of early parallel I/O, as collective algorithms to compare with. */
module org.hyperslab.baselines {
  requires org.hyperslab.mpiio;

  provides org.hyperslab.mpiio.plan.AlgorithmProvider with
      org.hyperslab.baselines.BaselineAlgorithms;
}
