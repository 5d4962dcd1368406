package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machine.RankMap;
import org.hyperslab.mpiio.machine.UnstatedCosts;

/**
 * Simulates a collective read or write of very many ranks in virtual time. Computations that are
 * equal on all ranks are made once; the exchanges before the transfer are not simulated, and memory
 * is not shared.
 *
 * @param write whether the file is written
 * @param hints the hints for accesses to the file
 * @param fs the file system
 * @param ranks the processor of each rank
 */
public record SimulatedCollective(boolean write, Hints hints, FileSystemTraits fs, RankMap ranks) {

  /**
   * What a simulation found.
   *
   * @param nanos the time at which the last rank ends, in nanoseconds from the start
   * @param stepNanos the time of all ranks in steps of each kind, including waiting, by the kind's
   *     name
   * @param requests the number of requests to the file
   * @param fileBytes the bytes of these requests, including holes that are read with them
   * @param messages the number of messages between ranks
   * @param messageBytes their bytes
   */
  public record Outcome(
      double nanos,
      Map<String, Double> stepNanos,
      long requests,
      long fileBytes,
      long messages,
      long messageBytes) {}

  /**
   * {@return the times and counts of the simulation}
   *
   * @param lists the extents of each rank; called once for each
   * @param costs the costs that the machine does not specify
   */
  public Outcome run(IntFunction<ExtentRuns> lists, UnstatedCosts costs) {
    SimulatedDriver.Result result = run(lists, costs, null);
    long requests = 0;
    long fileBytes = 0;
    long messages = 0;
    long messageBytes = 0;
    for (StepCounts each : result.tallies()) {
      requests += each.reads() + each.writes();
      fileBytes += each.bytesRead() + each.bytesWritten();
      messages += each.messages();
      messageBytes += each.messageBytes();
    }
    return new Outcome(
        result.nanos(), result.stepNanos(), requests, fileBytes, messages, messageBytes);
  }

  /**
   * {@return the result of the simulation}
   *
   * @param lists the extents of each rank; called once for each
   * @param costs the costs that the machine does not specify
   * @param listener receives every step; may be null
   */
  SimulatedDriver.Result run(
      IntFunction<ExtentRuns> lists, UnstatedCosts costs, SimulatedDriver.StepListener listener) {
    return SimulatedDriver.run(ranks, costs, schedules(lists), listener);
  }

  /** Returns the schedule of each rank. */
  IntFunction<Schedule> schedules(IntFunction<ExtentRuns> lists) {
    int size = ranks.size();
    AccessSummary[] summaries = new AccessSummary[size];
    ExtentRuns[] all = new ExtentRuns[size];
    for (int rank = 0; rank < size; rank++) {
      all[rank] = lists.apply(rank);
      summaries[rank] =
          AccessSummary.of(all[rank], -1, new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0));
    }
    FileSystemTraits traits = fs.with(hints);
    Aggregators aggregators = Aggregators.choose(hints, traits, topology(), summaries);
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, traits, aggregators.toArray(), false);
    CollectiveInput first = new CollectiveInput(0, write, summaries, all, setting, true);
    CollectiveAlgorithm algorithm = new CollectiveRule(first, aggregators).choose().algorithm();
    return switch (algorithm) {
      case CollectiveAlgorithm.Separate separate -> rank -> separate.schedule(first.of(rank));
      case CollectiveAlgorithm.Aggregated aggregated -> {
        CollectiveInput problem = first.with(aggregated.partition().ranks(aggregators));
        BufferSizes sizes = BufferSizes.of(hints, traits.costs());
        Cycles cycles = Planner.allCycles(problem, aggregated, sizes);
        yield rank -> Planner.exchange(problem.of(rank), aggregated, cycles, sizes);
      }
    };
  }

  private Topology topology() {
    int[] leaders = new int[ranks.machine().nodes()];
    Arrays.fill(leaders, -1);
    List<Integer> nodes = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      int node = ranks.node(rank);
      leaders[node] = leaders[node] < 0 ? rank : leaders[node];
      nodes.add(leaders[node]);
    }
    int cores = ranks.machine().processorsPerNode();
    return new Topology(nodes, Collections.nCopies(ranks.size(), cores), List.of());
  }
}
