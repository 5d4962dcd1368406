package org.hyperslab.mpiio.plan;

import org.hyperslab.mpiio.schedule.Schedule;

/**
 * An algorithm in which every rank accesses the file by itself, with the transfer that the rule
 * chooses for it.
 */
record IndependentAlgorithm() implements CollectiveAlgorithm.Separate {

  static final String NAME = "individual";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schedule schedule(CollectiveInput problem) {
    CollectiveInput.Setting setting = problem.setting();
    TransferRule rule = new TransferRule(setting.hints(), setting.fs().costs());
    return problem.write()
        ? rule.forWrite(problem.mine()).transfer().write(problem.rank(), problem.mine())
        : rule.forRead(problem.mine()).transfer().read(problem.rank(), problem.mine());
  }
}
