package org.hyperslab.mpiio.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.junit.jupiter.api.Test;

/** Tests the cost of planning one rank's part of a collective access of very many ranks. */
class PlanningCostTest {

  private static final int RANKS = 65_536;
  private static final int AGGREGATORS = 2_048;
  private static final int PER_NODE = RANKS / AGGREGATORS;
  private static final long MAX_NANOS = 50_000_000;
  private static final long MAX_BYTES = 64 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Contiguous accesses of one mebibyte for each rank. */
  private static ExtentRuns block(int rank) {
    return ExtentRuns.of((long) rank << 20, 1 << 20);
  }

  /** Blocks of 32 by 32 by 32 doubles of an array of 2048 by 1024 by 1024. */
  private static ExtentRuns cube(int rank) {
    long row = 1024 * 8;
    long plane = 1024 * row;
    long x = rank % 32;
    long y = rank / 32 % 32;
    long z = rank / 1024;
    ExtentRuns.Builder rows = ExtentRuns.builder();
    for (long k = 0; k < 32; k++) {
      rows.addRun((z * 32 + k) * plane + y * 32 * row + x * 256, 256, row, 32);
    }
    return rows.build();
  }

  private static AccessSummary[] summaries(IntFunction<ExtentRuns> lists) {
    AccessSummary[] all = new AccessSummary[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      all[rank] =
          AccessSummary.of(
              lists.apply(rank), -1, new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0));
    }
    return all;
  }

  private static Topology nodes() {
    List<Integer> nodes = new ArrayList<>();
    List<Integer> cores = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      nodes.add(rank - rank % PER_NODE);
      cores.add(PER_NODE);
    }
    return new Topology(nodes, cores, List.of());
  }

  private static Schedule plan(
      int rank, AccessSummary[] summaries, Topology topology, ExtentRuns mine, Hints hints) {
    FileSystemTraits fs = FileSystemTraits.local().with(hints);
    Aggregators aggregators = Aggregators.choose(hints, fs, topology, summaries);
    assertThat(aggregators.ranks()).hasSize(AGGREGATORS);
    ExtentRuns[] lists = new ExtentRuns[RANKS];
    lists[rank] = mine;
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, fs, aggregators.toArray(), false);
    CollectiveInput problem = new CollectiveInput(rank, true, summaries, lists, setting, true);
    if (!hints.choice().collective().equals("two-phase")) {
      problem = problem.with(aggregators.leadersArray());
    }
    CollectiveAlgorithm.Aggregated algorithm =
        (CollectiveAlgorithm.Aggregated)
            new CollectiveRule(problem, aggregators).choose().algorithm();
    BufferSizes sizes = BufferSizes.of(hints, fs.costs());
    Cycles cycles = Planner.cycles(problem, algorithm, sizes);
    return Planner.exchange(problem, algorithm, cycles, sizes);
  }

  private static void checkCost(String words, int rank, IntFunction<ExtentRuns> lists) {
    AccessSummary[] summaries = summaries(lists);
    Topology topology = nodes();
    Hints hints = Hints.parse("hyperslab_aggregators=node " + words);
    long nanos = Long.MAX_VALUE;
    long bytes = Long.MAX_VALUE;
    for (int turn = 0; turn < 50 && (nanos > MAX_NANOS || bytes > MAX_BYTES); turn++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long start = THREADS.getCurrentThreadCpuTime();
      Schedule schedule = plan(rank, summaries, topology, lists.apply(rank), hints);
      schedule.rounds().get(0);
      nanos = Math.min(nanos, THREADS.getCurrentThreadCpuTime() - start);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - before);
      if (rank % PER_NODE != 0) {
        assertThat(sentBytes(schedule)).isEqualTo(lists.apply(rank).totalBytes());
      }
    }
    System.out.printf(
        "plan of rank %d, %s: %.1f ms, %.1f MiB%n", rank, words, nanos / 1e6, bytes / 1048576.0);
    assertThat(nanos).as("%s: processor time in ns", words).isLessThanOrEqualTo(MAX_NANOS);
    assertThat(bytes).as("%s: bytes allocated", words).isLessThanOrEqualTo(MAX_BYTES);
  }

  private static long sentBytes(Schedule schedule) {
    long sum = 0;
    for (List<Step> round : schedule.rounds()) {
      for (Step step : round) {
        sum += step instanceof Step.Send send ? send.length() : 0;
      }
    }
    return sum;
  }

  @Test
  void oneOfSixtyFiveThousandRanksPlansTwoPhaseInFiftyMilliseconds() {
    for (int rank : new int[] {0, 40_001}) {
      checkCost("hyperslab_collective=two-phase", rank, PlanningCostTest::block);
      checkCost("hyperslab_collective=two-phase", rank, PlanningCostTest::cube);
    }
  }

  @Test
  void oneOfSixtyFiveThousandRanksPlansStripesAndSegmentsInFiftyMilliseconds() {
    String stripes = "hyperslab_domains=lustre striping_unit=1048576 striping_factor=48";
    for (int rank : new int[] {0, 40_001}) {
      checkCost("hyperslab_collective=two-phase " + stripes, rank, PlanningCostTest::block);
      checkCost("hyperslab_collective=dynamic", rank, PlanningCostTest::block);
      checkCost("hyperslab_collective=static", rank, PlanningCostTest::cube);
    }
  }
}
