package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.driver.CrossMemoryAttach;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.machines.DomainAssigner;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.plan.Aggregators;
import org.hyperslab.mpiio.plan.BufferSizes;
import org.hyperslab.mpiio.plan.CollectiveAlgorithm;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.CollectiveRule;
import org.hyperslab.mpiio.plan.Cycles;
import org.hyperslab.mpiio.plan.DeclaredView;
import org.hyperslab.mpiio.plan.Partition;
import org.hyperslab.mpiio.plan.Planner;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.plan.Transposition;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Plans one collective call from the summaries of all ranks: first with schedules that exchange the
 * information the algorithm needs, then with the schedule that moves the bytes.
 *
 * <p>Thread rule: one thread at a time, the one that drives the schedules.
 */
public final class CollectiveCall {

  private final Communicator comm;
  private CollectiveInput problem;
  private final Aggregators aggregators;
  private final CollectiveRule.Chosen chosen;
  private final BufferSizes sizes;
  private final DeclaredView[] views;
  private final Topology topology;
  private final boolean byNeighbours;
  private final StepContext.Peers peers;
  private final DomainAssignments domains;
  private final Runnable limit;
  private DomainAssigner.Assigned assignment;

  /** Adds the continuation of the schedule that moves the bytes. */
  private UnaryOperator<Schedule> end;

  private static final int SLOT = -2;

  /**
   * Creates a call in which all ranks' arguments are valid.
   *
   * @param problem the problem with this rank's list only, and the hints and traits
   * @param group the description of the ranks
   * @param views the views that ranks have declared; null if the call is not by views
   * @param peers receives the memory of other ranks that is reached directly
   * @param limit called before each exchange between the ranks
   */
  CollectiveCall(
      Communicator comm,
      CollectiveInput problem,
      RankGroup group,
      DeclaredView[] views,
      StepContext.Peers peers,
      Runnable limit) {
    this.comm = comm;
    this.limit = limit;
    this.domains = group.domains();
    this.peers = peers;
    this.views = views;
    CollectiveInput.Setting given = problem.setting();
    this.topology = group.topology();
    this.aggregators = Aggregators.choose(given.hints(), given.fs(), topology, problem.summaries());
    boolean wanted = given.hints().choice().sharedMemory() != Toggle.DISABLE;
    this.byNeighbours = wanted && !topology.processes().isEmpty() && isPlain(problem);
    boolean shared = byNeighbours || (wanted && isOneProcess(problem));
    CollectiveInput.Setting setting = given.with(aggregators.toArray(), shared);
    this.problem =
        new CollectiveInput(
            problem.rank(),
            problem.write(),
            problem.summaries(),
            problem.lists(),
            setting,
            problem.memoryContiguous());
    this.chosen = new CollectiveRule(this.problem, aggregators).choose();
    if (chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated) {
      this.problem = this.problem.with(aggregated.partition().ranks(aggregators));
    }
    this.sizes = BufferSizes.of(given.hints(), given.fs().costs());
  }

  private static boolean isOneProcess(CollectiveInput problem) {
    return Arrays.stream(problem.summaries())
        .allMatch(summary -> summary.circumstances().process() == SharedObjects.process());
  }

  private static boolean isPlain(CollectiveInput problem) {
    return Arrays.stream(problem.summaries())
        .allMatch(summary -> summary.circumstances().plain() == 1);
  }

  /**
   * The means by which the memory of other ranks is reached.
   *
   * @param here whether the ranks are in this process
   * @param processes the processes of neighbouring ranks; empty if there are none
   */
  public record Reach(boolean here, List<Integer> processes) {

    /**
     * Stores the current places of other ranks' memory.
     *
     * @param summaries the summary of every rank
     * @param me the me
     * @param peers receives the memory of other ranks that is reached directly
     */
    public void put(AccessSummary[] summaries, int me, StepContext.Peers peers) {
      for (int rank = 0; rank < summaries.length; rank++) {
        AccessSummary.Circumstances there = summaries[rank].circumstances();
        if (rank == me) {
          continue;
        }
        if (!processes.isEmpty()) {
          peers.neighbours()[rank] =
              new CrossMemoryAttach.Neighbour(processes.get(rank), there.address());
        } else if (here) {
          RankAccess found = found(rank, there.ticket());
          peers.memory()[rank] = found.memory();
          peers.gates()[rank] = found.gate();
        }
      }
    }

    /** Returns the access that a rank of this process has posted. */
    static RankAccess found(int rank, long ticket) {
      RankAccess found = SharedObjects.find(ticket, RankAccess.class);
      if (found == null) {
        throw new MpiException(
            "collective transfer",
            rank,
            MpiException.NO_CODE,
            "actual=rank " + rank + " has given up the transfer, expected=all ranks take part");
      }
      return found;
    }
  }

  /** Returns the means by which this call's schedule reaches the memory of other ranks. */
  Reach reach() {
    boolean aggregated = chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated;
    return new Reach(
        aggregated && problem.setting().sharedMemory() && !byNeighbours,
        aggregated && byNeighbours ? topology.processes() : List.of());
  }

  private long ticket(int rank) {
    return problem.summaries()[rank].circumstances().ticket();
  }

  /**
   * Returns the first of this rank's schedules.
   *
   * @param end adds the caller's continuation to the last schedule, which moves the bytes
   */
  Schedule schedule(UnaryOperator<Schedule> end) {
    this.end = end;
    if (!(chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated)) {
      return end.apply(((CollectiveAlgorithm.Separate) chosen.algorithm()).schedule(problem));
    }
    if (!domains.assigns() || !(aggregated.partition() instanceof Partition.Territories)) {
      return lists(aggregated);
    }
    long[] shares = domains.shares(problem, aggregated.partition());
    return exchange(
        "assignment",
        new Step.GatherAll(shares, false, SLOT),
        all -> {
          assignment = domains.assign(all, problem, aggregated.partition());
          problem = problem.with(assignment.rankOfDomain());
          return lists(aggregated);
        });
  }

  /** Returns a schedule of one exchange. */
  private Schedule exchange(String what, Step step, Function<long[][], Schedule> then) {
    limit.run();
    return new Schedule(what, problem.rank(), List.of(List.of(step, new Step.Await(SLOT))), null)
        .then(found -> then.apply(found.received(SLOT)));
  }

  /** Returns the schedule in which ranks exchange the extents that the algorithm needs. */
  private Schedule lists(CollectiveAlgorithm.Aggregated algorithm) {
    if (byNeighbours) {
      return neighbours(algorithm);
    }
    if (problem.setting().sharedMemory()) {
      reach().put(problem.summaries(), problem.rank(), peers);
      for (int rank = 0; rank < problem.size(); rank++) {
        problem.lists()[rank] = Reach.found(rank, ticket(rank)).file();
      }
      return end.apply(Planner.direct(problem, algorithm, sizes, false));
    }
    if (extentsKnown()) {
      return exchangeOfKnown(algorithm);
    }
    if (views != null) {
      for (int rank = 0; rank < problem.size(); rank++) {
        AccessSummary summary = problem.summaries()[rank];
        problem.lists()[rank] = views[rank].slice(summary.viewStart(), summary.bytes());
      }
      return exchangeOfKnown(algorithm);
    }
    return exchange(
        "lists",
        new Step.ExchangeAll(listsForAggregators(algorithm.partition(), false), SLOT),
        all -> {
          takeLists(all);
          Cycles cycles = algorithm.cyclesBeforehand(problem, sizes);
          return cycles == null ? windows(algorithm) : exchange(algorithm, cycles);
        });
  }

  private Schedule exchange(CollectiveAlgorithm.Aggregated algorithm, Cycles cycles) {
    return end.apply(Planner.exchange(problem, algorithm, cycles, sizes));
  }

  /** Returns the schedule if this rank knows, or can compute, the lists of all ranks. */
  private Schedule exchangeOfKnown(CollectiveAlgorithm.Aggregated algorithm) {
    return algorithm.byQuota() || Planner.knowsCycles(problem, algorithm.partition())
        ? exchange(algorithm, Planner.cycles(problem, algorithm, sizes))
        : windows(algorithm);
  }

  /** Returns the schedule if aggregators access the memory of ranks of other processes. */
  private Schedule neighbours(CollectiveAlgorithm.Aggregated algorithm) {
    reach().put(problem.summaries(), problem.rank(), peers);
    if (extentsKnown()) {
      return end.apply(Planner.direct(problem, algorithm, sizes, true));
    }
    return exchange(
        "lists",
        new Step.ExchangeAll(listsForAggregators(algorithm.partition(), true), SLOT),
        all -> {
          takeLists(all);
          return end.apply(Planner.direct(problem, algorithm, sizes, true));
        });
  }

  private void takeLists(long[][] all) {
    for (int rank = 0; rank < all.length; rank++) {
      if (rank != problem.rank()) {
        problem.lists()[rank] = ExtentRuns.decode(all[rank], 0, all[rank].length);
      }
    }
  }

  /** Returns whether the summaries contain all lists. */
  private boolean extentsKnown() {
    return Arrays.stream(problem.summaries()).allMatch(AccessSummary::includesList);
  }

  /**
   * Returns the lists of this rank's portions for each aggregator; empty for other ranks.
   *
   * @param whole whether an aggregator of any of its bytes gets the rank's whole list, from which
   *     the places of bytes in the rank's memory follow
   */
  private long[][] listsForAggregators(Partition partition, boolean whole) {
    long[][] forRank = new long[problem.size()][];
    Arrays.fill(forRank, new long[0]);
    for (int i : partition.aggregatorsOf(problem.mine(), problem.rank())) {
      int aggregator = problem.setting().aggregators()[i];
      ExtentRuns portion = partition.portion(problem.mine(), problem.rank(), i).extents();
      if (aggregator != problem.rank() && !portion.isEmpty()) {
        forRank[aggregator] = (whole ? problem.mine() : portion).encode();
      }
    }
    return forRank;
  }

  /** Returns a schedule that sends every rank the windows of each aggregator. */
  private Schedule windows(CollectiveAlgorithm.Aggregated algorithm) {
    int me = problem.aggregatorIndex();
    long[] mine = me < 0 ? new long[0] : Planner.windows(problem, algorithm.partition(), me, sizes);
    return exchange(
        "windows",
        new Step.GatherAll(mine, false, SLOT),
        all -> {
          List<long[]> cuts = new ArrayList<>();
          for (int aggregator : problem.setting().aggregators()) {
            cuts.add(all[aggregator]);
          }
          return exchange(algorithm, new Cycles.ByWindow(cuts));
        });
  }

  /** Describes the choices and their reasons. */
  String explain() {
    StringBuilder text =
        new StringBuilder(problem.write() ? "collective write: " : "collective read: ");
    text.append(chosen.algorithm().name()).append(" (").append(chosen.reason()).append(")");
    if (chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated) {
      text.append("\n  file: ").append(aggregated.partition().describe());
      text.append("\n  aggregators: ranks ");
      if (aggregated.partition() instanceof Transposition) {
        text.append("with bytes, each for its group");
      } else {
        text.append(Arrays.toString(problem.setting().aggregators()));
        text.append(" (").append(aggregators.reason()).append(")");
      }
      if (assignment != null) {
        text.append("\n  assignment: ").append(assignment.description());
      }
      text.append("\n  exchange: ");
      text.append(
          problem.setting().sharedMemory()
              ? (byNeighbours ? "in neighbouring processes' memory" : "through shared memory")
                  + ", windows of "
                  + sizes.directWindowBytes()
                  + " bytes"
              : "by messages, cycles of "
                  + sizes.stagingBytes()
                  + " bytes, windows of "
                  + sizes.windowBytes()
                  + (views == null ? "" : ", lists known from declared views"));
    }
    FileSystemTraits fs = problem.setting().fs();
    text.append("\n  file system: ").append(fs.type());
    text.append(
        fs.isStriped()
            ? ", stripes of " + fs.stripeBytes() + " bytes over " + fs.stripes()
            : ", not striped");
    return text.append("\n  ranks: ").append(comm.describe()).toString();
  }

  String algorithm() {
    return chosen.algorithm().name();
  }
}
