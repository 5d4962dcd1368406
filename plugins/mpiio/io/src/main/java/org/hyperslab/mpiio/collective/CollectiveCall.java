package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.assignment.DomainAssignment;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PeerBoard;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.schedule.Executor;
import org.hyperslab.mpiio.schedule.NeighbourMemory;
import org.hyperslab.mpiio.schedule.Schedule;

/**
 * One collective call up to its schedule: the exchanges that an algorithm needs, and nothing that
 * could differ between ranks by accident.
 */
final class CollectiveCall {

  private final Communicator comm;
  private final Wire wire;
  private Problem problem;
  private final Aggregators aggregators;
  private final CollectiveRule.Chosen chosen;
  private final BufferSizes sizes;
  private final DeclaredView[] views;
  private final Topology topology;
  private final boolean byNeighbours;
  private final NeighbourMemory.Neighbour[] neighbours;
  private final JobRanks job;
  private DomainAssignment assignment;

  /**
   * A call in which all ranks' arguments are sound.
   *
   * @param problem with this rank's list only, and the hints and traits
   * @param topology where ranks run
   * @param views the views that ranks have declared; null if the call is not by views
   * @param job the machine, and by which rule file domains are assigned
   */
  CollectiveCall(
      Communicator comm, Problem problem, Topology topology, DeclaredView[] views, JobRanks job) {
    this.comm = comm;
    this.job = job;
    this.neighbours = new NeighbourMemory.Neighbour[comm.size()];
    this.wire = new Wire(comm);
    this.views = views;
    Problem.Setting given = problem.setting();
    this.aggregators = Aggregators.choose(given.hints(), given.fs(), topology, problem.summaries());
    this.topology = topology;
    boolean wanted = given.hints().choice().sharedMemory() != Toggle.DISABLE;
    this.byNeighbours = wanted && !topology.processes().isEmpty() && isPlain(problem);
    boolean shared = byNeighbours || (wanted && isOneProcess(problem));
    Problem.Setting setting =
        new Problem.Setting(given.hints(), given.fs(), aggregators.toArray(), shared);
    this.problem =
        new Problem(
            problem.rank(),
            problem.write(),
            problem.summaries(),
            problem.lists(),
            setting,
            problem.memoryContiguous());
    this.chosen = new CollectiveRule(this.problem, aggregators).choose();
    if (chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated
        && aggregated.partition() instanceof Partition.Groups) {
      this.problem = this.problem.with(aggregators.leadersArray());
    }
    this.sizes = BufferSizes.of(given.hints(), given.fs().costs());
  }

  private static boolean isOneProcess(Problem problem) {
    return Arrays.stream(problem.summaries())
        .allMatch(summary -> summary.circumstances().process() == PeerBoard.process());
  }

  private static boolean isPlain(Problem problem) {
    return Arrays.stream(problem.summaries())
        .allMatch(summary -> summary.circumstances().plain() == 1);
  }

  /**
   * The memory of the other ranks, as far as it is reached directly. After {@link #schedule}.
   *
   * @param access how neighbours are reached
   */
  Executor.Peers peers(MemoryExtents mine, NeighbourMemory access) {
    MemoryExtents[] peers = new MemoryExtents[problem.size()];
    for (int rank = 0; rank < peers.length; rank++) {
      if (problem.setting().sharedMemory() && !byNeighbours) {
        peers[rank] = PeerBoard.find(ticket(rank), RankAccess.class).memory();
      }
    }
    peers[problem.rank()] = mine;
    return new Executor.Peers(peers, neighbours, access);
  }

  private long ticket(int rank) {
    return problem.summaries()[rank].circumstances().ticket();
  }

  /** This rank's schedule; every rank must call it, for it may communicate. */
  Schedule schedule() {
    return switch (chosen.algorithm()) {
      case CollectiveAlgorithm.Separate separate -> separate.schedule(problem);
      case CollectiveAlgorithm.Aggregated aggregated -> schedule(aggregated);
    };
  }

  private Schedule schedule(CollectiveAlgorithm.Aggregated algorithm) {
    if (job.assigns() && algorithm.partition() instanceof Partition.Territories) {
      assignment = job.assign(wire, problem, algorithm.partition());
      problem = problem.with(assignment.rankOfDomain());
    }
    if (byNeighbours) {
      meetNeighbours();
      return Planner.direct(problem, algorithm, sizes);
    }
    if (problem.setting().sharedMemory()) {
      for (int rank = 0; rank < problem.size(); rank++) {
        problem.lists()[rank] = PeerBoard.find(ticket(rank), RankAccess.class).file();
      }
      return Planner.direct(problem, algorithm, sizes);
    }
    if (told()) {
      return exchangeOfKnown(algorithm);
    }
    if (views != null) {
      for (int rank = 0; rank < problem.size(); rank++) {
        AccessSummary summary = problem.summaries()[rank];
        problem.lists()[rank] = views[rank].slice(summary.viewStart(), summary.bytes());
      }
      return exchangeOfKnown(algorithm);
    }
    exchangeLists(algorithm.partition());
    Cycles cycles = algorithm.cyclesBeforehand(problem, sizes);
    return Planner.exchange(
        problem, algorithm, cycles == null ? exchangeWindows(algorithm) : cycles, sizes);
  }

  /** The schedule where this rank knows, or can compute, the lists of all. */
  private Schedule exchangeOfKnown(CollectiveAlgorithm.Aggregated algorithm) {
    boolean alone = algorithm.byQuota() || Planner.knowsCycles(problem, algorithm.partition());
    Cycles cycles = alone ? Planner.cycles(problem, algorithm, sizes) : exchangeWindows(algorithm);
    return Planner.exchange(problem, algorithm, cycles, sizes);
  }

  /** Every rank learns where every other's memory is, and its extents. */
  private void meetNeighbours() {
    if (!told()) {
      long[][] all = wire.allGather(problem.mine().encode());
      for (int rank = 0; rank < all.length; rank++) {
        if (rank != problem.rank()) {
          problem.lists()[rank] = ExtentRuns.decode(all[rank], 0, all[rank].length);
        }
      }
    }
    for (int rank = 0; rank < neighbours.length; rank++) {
      if (rank != problem.rank()) {
        long address = problem.summaries()[rank].circumstances().address();
        neighbours[rank] = new NeighbourMemory.Neighbour(topology.processes().get(rank), address);
      }
    }
  }

  /** Whether the summaries tell all lists. */
  private boolean told() {
    return Arrays.stream(problem.summaries()).allMatch(AccessSummary::tellsList);
  }

  /** Tells each aggregator what it will get from this rank. */
  private void exchangeLists(Partition partition) {
    ExtentRuns[] forRank = new ExtentRuns[problem.size()];
    for (int i = 0; i < partition.aggregators(); i++) {
      int aggregator = problem.setting().aggregators()[i];
      if (aggregator != problem.rank()) {
        forRank[aggregator] = partition.portion(problem.mine(), problem.rank(), i).extents();
      }
    }
    ExtentRuns[] received = wire.exchange(forRank);
    for (int rank = 0; rank < received.length; rank++) {
      if (rank != problem.rank()) {
        problem.lists()[rank] = received[rank];
      }
    }
  }

  private Cycles exchangeWindows(CollectiveAlgorithm.Aggregated algorithm) {
    int me = problem.aggregatorIndex();
    long[] mine = me < 0 ? new long[0] : Planner.windows(problem, algorithm.partition(), me, sizes);
    long[][] all = wire.allGather(mine);
    List<long[]> cuts = new ArrayList<>();
    for (int aggregator : problem.setting().aggregators()) {
      cuts.add(all[aggregator]);
    }
    return new Cycles.ByWindow(cuts);
  }

  /** What was chosen and why. */
  String explain() {
    StringBuilder text =
        new StringBuilder(problem.write() ? "collective write: " : "collective read: ");
    text.append(chosen.algorithm().name()).append(" (").append(chosen.reason()).append(")");
    if (chosen.algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated) {
      text.append("\n  file: ").append(aggregated.partition().describe());
      text.append("\n  aggregators: ranks ");
      text.append(Arrays.toString(problem.setting().aggregators()));
      text.append(" (").append(aggregators.reason()).append(")");
      if (assignment != null) {
        text.append("\n  assignment: ").append(assignment.describe());
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
