package org.hyperslab.mpiio.plan;

import java.util.List;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/** Provides the algorithm {@code turns}: one rank after the other accesses its extents. */
public final class TurnsProvider implements AlgorithmProvider {

  private record Turns() implements CollectiveAlgorithm.Separate {

    @Override
    public String name() {
      return "turns";
    }

    @Override
    public Schedule schedule(CollectiveInput problem) {
      ByteLocation memory = new ByteLocation.Memory(0);
      Step access =
          problem.write()
              ? new Step.Write(problem.mine(), memory)
              : new Step.Read(problem.mine(), memory, false);
      return Schedule.computed(
          "turns",
          problem.rank(),
          problem.size(),
          turn ->
              turn == problem.rank() && !problem.mine().isEmpty()
                  ? List.of(access, new Step.Barrier())
                  : List.of(new Step.Barrier()));
    }
  }

  @Override
  public List<CollectiveAlgorithm.Separate> algorithms() {
    return List.of(new Turns());
  }
}
