package org.hyperslab.baselines;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.plan.CollectiveAlgorithm;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.FileDomains;
import org.hyperslab.mpiio.plan.Partition;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * The techniques of early parallel I/O, for comparison: a request for every extent, in different
 * orders. After Nitzberg: Collective Parallel I/O (1995), data block scheduling.
 */
final class BaselineAlgorithm {

  private static final int MAX_TURNS = 1 << 20;

  private BaselineAlgorithm() {}

  private static Step request(CollectiveInput problem, ExtentRuns file, long packed) {
    ByteLocation memory = new ByteLocation.Memory(packed);
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
    public Schedule schedule(CollectiveInput problem) {
      List<Step> steps =
          problem.mine().isEmpty() ? List.of() : List.of(request(problem, problem.mine(), 0));
      return new Schedule(NAME, problem.rank(), List.of(steps));
    }
  }

  /**
   * Groups of {@code hyperslab_group} ranks, or of the number of aggregators; each group waits for
   * the end of the one before.
   */
  record Grouping() implements CollectiveAlgorithm.Separate {
    static final String NAME = "grouping";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(CollectiveInput problem) {
      int hinted = problem.setting().hints().variant().groupRanks();
      int group = Math.max(1, hinted > 0 ? hinted : problem.setting().aggregators().length);
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

  /**
   * {@code hyperslab_in_flight} bytes at once, or the sum of all aggregators' buffers: ranks take
   * turns, and one with more bytes takes several.
   */
  record DataGrouping() implements CollectiveAlgorithm.Separate {
    static final String NAME = "data-grouping";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(CollectiveInput problem) {
      long before = 0;
      long total = 0;
      for (int rank = 0; rank < problem.size(); rank++) {
        long bytes = problem.summaries()[rank].bytes();
        before += rank < problem.rank() ? bytes : 0;
        total = Math.addExact(total, bytes);
      }
      long hinted = problem.setting().hints().variant().inFlightBytes();
      long limit = inTurns(total, hinted > 0 ? hinted : buffers(problem.setting()));
      long mine = before;
      return Schedule.computed(
          NAME,
          problem.rank(),
          Math.toIntExact(Math.ceilDiv(total, limit)),
          turn -> {
            long all = problem.mine().totalBytes();
            long from = Math.clamp(turn * limit - mine, 0, all);
            long to = Math.clamp((turn + 1) * limit - mine, 0, all);
            return inTurn(problem, ExtentRuns.copyOf(problem.mine(), from, to), from);
          });
    }
  }

  private static long buffers(CollectiveInput.Setting setting) {
    return setting.hints().buffering().bufferBytes() * setting.aggregators().length;
  }

  /** Returns the bytes of a turn, large enough that a million turns suffice. */
  private static long inTurns(long total, long wanted) {
    return Math.max(1, Math.max(Math.ceilDiv(total, (long) MAX_TURNS), wanted));
  }

  private static List<Step> inTurn(CollectiveInput problem, ExtentRuns part, long packed) {
    return part.isEmpty()
        ? List.of(new Step.Barrier())
        : List.of(request(problem, part, packed), new Step.Barrier());
  }

  /** All ranks at once, each in its own pseudo-random order, which is deterministic. */
  record Random() implements CollectiveAlgorithm.Separate {
    static final String NAME = "random";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(CollectiveInput problem) {
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
    public Schedule schedule(CollectiveInput problem) {
      long first = problem.first();
      long range = problem.endExclusive() - first;
      long hinted = problem.setting().hints().choice().blockBytes();
      long window = inTurns(range, hinted > 0 ? hinted : buffers(problem.setting()));
      int turns = (int) Math.ceilDiv(range, window);
      return Schedule.computed(
          NAME,
          problem.rank(),
          turns,
          turn -> {
            long from = first + turn * window;
            ExtentRuns part = ExtentRuns.copyOf(problem.mine().within(from, from + window));
            return inTurn(problem, part, problem.mine().packedAt(from));
          });
    }
  }

  /**
   * Like {@link Sliding}, with a window for each server of the file, which slides over the server's
   * part of the file; a rank begins each turn with another server.
   */
  record ServerWindows() implements CollectiveAlgorithm.Separate {
    static final String NAME = "sliding-servers";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule schedule(CollectiveInput problem) {
      FileSystemTraits fs = problem.setting().fs();
      int servers = Math.max(1, fs.stripes());
      long stripe = fs.stripeBytes() > 0 ? fs.stripeBytes() : fs.blockBytes();
      long first = problem.first();
      Partition chunks =
          FileDomains.layout(first, problem.endExclusive(), servers, stripe, servers);
      long longest = 0;
      for (int server = 0; server < servers; server++) {
        longest = Math.max(longest, chunks.territory(server).totalBytes());
      }
      long hinted = problem.setting().hints().choice().blockBytes();
      long all = hinted > 0 ? hinted : buffers(problem.setting());
      long window = inTurns(longest, Math.ceilDiv(all, (long) servers));
      int turns = Math.toIntExact(Math.ceilDiv(longest, window));
      return Schedule.computed(
          NAME,
          problem.rank(),
          turns,
          turn -> {
            List<Step> steps = new ArrayList<>();
            for (int i = 0; i < servers; i++) {
              int server = (problem.rank() + i) % servers;
              ExtentRuns chunk = chunks.territory(server);
              long from = Math.min(turn * window, chunk.totalBytes());
              long to = Math.min(from + window, chunk.totalBytes());
              addRequests(problem, ExtentRuns.copyOf(chunk, from, to), steps);
            }
            steps.add(new Step.Barrier());
            return steps;
          });
    }

    /** Adds a request for each extent of the rank in the window. */
    private static void addRequests(CollectiveInput problem, ExtentRuns window, List<Step> steps) {
      ExtentRuns mine = problem.mine();
      ExtentList.Cursor cursor = window.cursor();
      while (cursor.next()) {
        ExtentRuns part =
            ExtentRuns.copyOf(mine.within(cursor.offset(), cursor.offset() + cursor.length()));
        if (!part.isEmpty()) {
          steps.add(request(problem, part, mine.packedAt(cursor.offset())));
        }
      }
    }
  }
}
