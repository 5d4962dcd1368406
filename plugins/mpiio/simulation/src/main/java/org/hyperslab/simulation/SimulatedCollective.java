package org.hyperslab.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.declared.DeclaredSchedules;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machines.DomainAssigner;
import org.hyperslab.mpiio.plan.RankSchedules;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Simulates a collective read or write of very many ranks in virtual time. Computations that are
 * equal on all ranks are made once; the exchanges before the transfer are not simulated, and memory
 * is not shared.
 *
 * @param write whether the file is written
 * @param hints the hints for accesses to the file
 * @param fs the file system
 * @param ranks the processor of each rank
 * @param network the model of messages
 */
record SimulatedCollective(
    boolean write, Hints hints, FileSystemTraits fs, RankMap ranks, SimulatedNetwork network) {

  SimulatedCollective(boolean write, Hints hints, FileSystemTraits fs, RankMap ranks) {
    this(write, hints, fs, ranks, SimulatedNetwork.FLOWS);
  }

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
    return outcome(run(lists, costs, null));
  }

  /**
   * {@return the times and counts of the simulation, whose schedules are also written as GOAL}
   *
   * @param lists the extents of each rank; called once for each
   * @param costs the costs that the machine does not specify
   * @param goal where the text goes
   * @throws IOException if the text cannot be written
   */
  Outcome runToGoal(IntFunction<ExtentRuns> lists, UnstatedCosts costs, Appendable goal)
      throws IOException {
    IntFunction<Schedule> schedules = schedules(lists);
    GoalText text = new GoalText(ranks.size(), costs);
    SimulatedDriver.Result result = SimulatedDriver.run(setting(costs), schedules, text);
    text.write(schedules, goal);
    return outcome(result);
  }

  private static Outcome outcome(SimulatedDriver.Result result) {
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
    return SimulatedDriver.run(setting(costs), schedules(lists), listener);
  }

  /**
   * {@return the times and counts of a started access beside which all ranks compute}
   *
   * @param lists the extents of each rank; called once for each
   * @param costs the costs that the machine does not specify
   * @param tests when ranks go on with the access
   */
  Outcome runBeside(IntFunction<ExtentRuns> lists, UnstatedCosts costs, TestPoints tests) {
    return outcome(SimulatedDriver.run(setting(costs).with(tests), schedules(lists), null));
  }

  /**
   * {@return the times and counts of declared writes}
   *
   * @param writes the writes of each rank: two arrays, of the file offsets and of the lengths
   * @param costs the costs that the machine does not specify
   */
  Outcome runDeclared(List<long[][]> writes, UnstatedCosts costs) {
    DeclaredWrites.Options options = DeclaredWrites.Options.of(hints.buffering(), hints);
    DeclaredSchedules declared =
        DeclaredSchedules.of(options, SimulatedHints.election(hints, ranks), writes);
    int[] processors = Arrays.copyOf(ranks.toArray(), ranks.size() + declared.collectors().size());
    for (int i = 0; i < declared.collectors().size(); i++) {
      processors[ranks.size() + i] = processors[declared.collectors().get(i)];
    }
    // A collector writes beside the puts of its rank, as the thread of a started write does.
    RankMap both = RankMap.of(ranks.machine(), processors);
    return outcome(SimulatedDriver.run(setting(both, costs), declared::schedule, null));
  }

  private SimulatedDriver.Setting setting(UnstatedCosts costs) {
    return setting(ranks, costs);
  }

  private SimulatedDriver.Setting setting(RankMap actors, UnstatedCosts costs) {
    return new SimulatedDriver.Setting(
        actors, SimulatedHints.striped(ranks.machine().storage(), hints), costs, network);
  }

  /** Returns the schedule of each rank. */
  IntFunction<Schedule> schedules(IntFunction<ExtentRuns> lists) {
    DomainAssigner assigner = SimulatedHints.assigner(hints, ranks);
    return new RankSchedules(write, hints, fs, topology(), assigner).of(lists);
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
