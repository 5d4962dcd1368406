package org.hyperslab.mpiio.plan;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machines.DomainAssigner;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Plans a collective read or write for all ranks in one place, without communication. Computations
 * that are equal on all ranks are made once. Ranks do not reach each other's memory.
 *
 * @param write whether the file is written
 * @param hints the hints for accesses to the file
 * @param fs the file system
 * @param topology the nodes of the ranks
 * @param assigner assigns domains of the file to ranks; null assigns them to the aggregators in
 *     order
 */
public record RankSchedules(
    boolean write, Hints hints, FileSystemTraits fs, Topology topology, DomainAssigner assigner) {

  /** What is chosen for all ranks. */
  private record Planned(
      CollectiveInput input, Aggregators aggregators, CollectiveAlgorithm algorithm) {}

  private Planned planned(IntFunction<ExtentRuns> lists) {
    int size = topology.nodes().size();
    AccessSummary[] summaries = new AccessSummary[size];
    ExtentRuns[] all = new ExtentRuns[size];
    for (int rank = 0; rank < size; rank++) {
      all[rank] = lists.apply(rank);
      summaries[rank] =
          AccessSummary.of(all[rank], -1, new AccessSummary.Circumstances(rank, 0, 0, 0, 0, 0));
    }
    FileSystemTraits traits = fs.with(hints);
    Aggregators aggregators = Aggregators.choose(hints, traits, topology, summaries);
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, traits, aggregators.toArray(), false);
    CollectiveInput first = new CollectiveInput(0, write, summaries, all, setting, true);
    return new Planned(
        first, aggregators, new CollectiveRule(first, aggregators).choose().algorithm());
  }

  /**
   * {@return the extents of each rank as if the parts of the file that each aggregator has followed
   * each other; as they are if aggregators have no parts of the file}
   *
   * @param lists the extents of each rank, from 0
   */
  public List<ExtentRuns> byDomain(List<ExtentRuns> lists) {
    return planned(lists::get).algorithm() instanceof CollectiveAlgorithm.Aggregated aggregated
            && aggregated.partition() instanceof Partition.Territories domains
        ? IntStream.range(0, lists.size())
            .mapToObj(rank -> byDomain(lists.get(rank), rank, domains))
            .toList()
        : lists;
  }

  private static ExtentRuns byDomain(ExtentRuns list, int rank, Partition.Territories domains) {
    ExtentRuns.Builder moved = ExtentRuns.builder();
    long base = 0;
    for (int domain = 0; domain < domains.aggregators(); domain++) {
      ExtentRuns territory = domains.territory(domain);
      ExtentList.Cursor cursor = domains.portion(list, rank, domain).extents().cursor();
      while (cursor.next()) {
        moved.add(base + territory.packedAt(cursor.offset()), cursor.length());
      }
      base += territory.totalBytes();
    }
    return moved.build();
  }

  /**
   * {@return the schedule of each rank that moves the bytes; the exchanges before it are left out}
   *
   * @param lists the extents of each rank, from 0; called once for each
   */
  public IntFunction<Schedule> of(IntFunction<ExtentRuns> lists) {
    Planned plan = planned(lists);
    CollectiveInput first = plan.input();
    Aggregators aggregators = plan.aggregators();
    CollectiveAlgorithm algorithm = plan.algorithm();
    return switch (algorithm) {
      case CollectiveAlgorithm.Separate separate -> rank -> separate.schedule(first.of(rank));
      case CollectiveAlgorithm.Aggregated chosen -> {
        CollectiveAlgorithm.Aggregated aggregated = chosen.indexed();
        AccessRanges ranges = AccessRanges.of(first.summaries()).indexed();
        CollectiveInput problem = first.with(aggregated.partition().ranks(aggregators));
        if (assigner != null && aggregated.partition() instanceof Partition.Territories domains) {
          problem = problem.with(assigned(problem, domains));
        }
        CollectiveInput planned = problem;
        BufferSizes sizes = BufferSizes.of(hints, first.setting().fs().costs());
        Cycles cycles = Planner.allCycles(planned, aggregated, sizes, ranges);
        TwoPhaseExchange.Shared shared =
            TwoPhaseExchange.Shared.of(planned, ranges, aggregated.partition(), cycles);
        yield rank -> Planner.exchange(planned.of(rank), aggregated, cycles, sizes, shared);
      }
    };
  }

  private int[] assigned(CollectiveInput problem, Partition domains) {
    long[][] shares = new long[problem.size()][];
    for (int rank = 0; rank < shares.length; rank++) {
      shares[rank] = domains.shares(problem.list(rank), rank);
    }
    return assigner
        .assign(shares, domains.aggregators(), problem.setting().aggregators())
        .rankOfDomain();
  }
}
