package org.hyperslab.baselines;

import java.util.List;
import org.hyperslab.mpiio.plan.AlgorithmProvider;
import org.hyperslab.mpiio.plan.CollectiveAlgorithm;

/** Provides the algorithms of this module to MPI-IO. */
public final class BaselineAlgorithms implements AlgorithmProvider {

  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public BaselineAlgorithms() {}

  @Override
  public List<CollectiveAlgorithm.Separate> algorithms() {
    return List.of(
        new BaselineAlgorithm.Naive(),
        new BaselineAlgorithm.Grouping(),
        new BaselineAlgorithm.DataGrouping(),
        new BaselineAlgorithm.Random(),
        new BaselineAlgorithm.Sliding(),
        new BaselineAlgorithm.ServerWindows());
  }
}
