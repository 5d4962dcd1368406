package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Place;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * The techniques of early parallel I/O, to measure against: a request for every extent, in
 * different orders. After Nitzberg: Collective Parallel I/O (1995), data block scheduling.
 */
final class Baseline {

  private Baseline() {}

  private static Step request(Problem problem, ExtentRuns file, long packed) {
    Place memory = new Place.Memory(packed);
    return problem.write() ? new Step.Write(file, memory) : new Step.Read(file, memory, false);
  }

  /** All ranks at once, each in the order of the file. */
  record Naive() implements CollectiveAlgorithm.Separate {
    static final String NAME = "naive";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(Problem problem) {
      List<Step> steps =
          problem.mine().isEmpty() ? List.of() : List.of(request(problem, problem.mine(), 0));
      return new Schedule(NAME, problem.rank(), List.of(steps));
    }
  }

  /** As many ranks at once as there are aggregators; the next group waits until they are done. */
  record Grouping() implements CollectiveAlgorithm.Separate {
    static final String NAME = "grouping";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(Problem problem) {
      int group = Math.max(1, problem.setting().aggregators().length);
      int turns = Math.ceilDiv(problem.size(), group);
      return Schedule.computed(
          NAME,
          problem.rank(),
          turns,
          turn -> {
            boolean mine = problem.rank() / group == turn && !problem.mine().isEmpty();
            return mine
                ? List.of(request(problem, problem.mine(), 0), new Step.Barrier())
                : List.of(new Step.Barrier());
          });
    }
  }

  /** All ranks at once, each in an order of its own that looks random and is always the same. */
  record Random() implements CollectiveAlgorithm.Separate {
    static final String NAME = "random";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(Problem problem) {
      List<Step> steps = new ArrayList<>();
      ExtentList.Cursor cursor = problem.mine().cursor();
      while (cursor.next()) {
        ExtentRuns extent = ExtentRuns.of(cursor.offset(), cursor.length());
        steps.add(request(problem, extent, cursor.packed()));
      }
      Collections.shuffle(steps, new java.util.Random(problem.rank()));
      return new Schedule(NAME, problem.rank(), List.of(steps));
    }
  }

  /**
   * All ranks move through the file together, a window at a time; the window is {@code
   * hyperslab_block} long, or as long as all aggregators' buffers.
   */
  record Sliding() implements CollectiveAlgorithm.Separate {
    static final String NAME = "sliding";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(Problem problem) {
      long first = problem.first();
      long range = problem.endExclusive() - first;
      Problem.Setting setting = problem.setting();
      long buffers = setting.hints().buffering().bufferBytes() * setting.aggregators().length;
      long hinted = setting.hints().choice().blockBytes();
      long least = Math.ceilDiv(range, (long) (1 << 20));
      long window = Math.max(1, Math.max(least, hinted > 0 ? hinted : buffers));
      int turns = (int) Math.ceilDiv(range, window);
      return Schedule.computed(
          NAME,
          problem.rank(),
          turns,
          turn -> {
            long from = first + turn * window;
            ExtentRuns part = ExtentRuns.copyOf(problem.mine().within(from, from + window));
            return part.isEmpty()
                ? List.of(new Step.Barrier())
                : List.of(
                    request(problem, part, problem.mine().packedAt(from)), new Step.Barrier());
          });
    }
  }
}
