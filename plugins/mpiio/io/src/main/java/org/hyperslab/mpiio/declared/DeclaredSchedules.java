package org.hyperslab.mpiio.declared;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;
import org.hyperslab.mpiio.put.PutRounds;
import org.hyperslab.mpiio.put.PutRounds.Filled;
import org.hyperslab.mpiio.put.PutRounds.Rounds;
import org.hyperslab.mpiio.put.PutRounds.TargetPut;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * The schedules of declared writes of all ranks, made in one place: those of the ranks, which put
 * the parts of their writes, and those of the collectors, which write full buffers. A collector is
 * numbered after the ranks, by its partition, because it works beside the puts of its rank.
 *
 * <p>Thread rule: immutable.
 */
public final class DeclaredSchedules {

  private final AggregationPlan plan;
  private final int ranks;

  private DeclaredSchedules(AggregationPlan plan, int ranks) {
    this.plan = plan;
    this.ranks = ranks;
  }

  /**
   * {@return the schedules of the writes of all ranks}
   *
   * @param options the options
   * @param election elects the ranks that collect
   * @param writes the writes of each rank, in their order: two arrays, of the file offsets and of
   *     the lengths, in bytes
   * @throws org.hyperslab.error.InvalidUseException if a write is not valid
   */
  public static DeclaredSchedules of(
      DeclaredWrites.Options options, DeclaredWrites.Election election, List<long[][]> writes) {
    List<Declaration> all = writes.stream().map(one -> Declaration.of(one[0], one[1])).toList();
    return new DeclaredSchedules(DeclaredWrites.plan(all, options, election), writes.size());
  }

  /** {@return the rank beside which each collector works} */
  public List<Integer> collectors() {
    return IntStream.range(0, plan.partitions()).mapToObj(plan::aggregator).toList();
  }

  /**
   * {@return the schedule of a rank, or of a collector}
   *
   * @param number the rank, or the number of ranks plus the index of the collector
   */
  public Schedule schedule(int number) {
    return number < ranks ? puts(number) : collecting(number, number - ranks);
  }

  /** Returns the schedule of a rank, with a round for each of its writes. */
  private Schedule puts(int rank) {
    long[] fences = PutTransport.fencesAfterParts(plan, rank);
    List<TargetPut> before = PutTransport.fencesBefore(plan, rank);
    int[] firstPart = new int[plan.writes(rank) + 1];
    for (int write = 0; write < plan.writes(rank); write++) {
      firstPart[write + 1] = firstPart[write] + collected(plan.parts(rank, write));
    }
    IntFunction<List<Step>> round =
        write -> {
          List<Step> steps = new ArrayList<>();
          if (write == 0) {
            before.forEach(fence -> toCollector(fence).addSteps(steps));
          }
          int next = firstPart[write];
          for (Part part : plan.parts(rank, write)) {
            if (part.isOwn()) {
              steps.add(
                  new Step.Write(
                      ExtentRuns.of(part.offset(), part.length()),
                      new ByteLocation.Memory(part.inWrite())));
            } else {
              put(part, fences[next++]).addSteps(steps);
            }
          }
          return steps;
        };
    return Schedule.computed("declared", rank, plan.writes(rank), round);
  }

  private static int collected(List<Part> parts) {
    return (int) parts.stream().filter(part -> !part.isOwn()).count();
  }

  private TargetPut put(Part part, long fence) {
    long exposed = part.round() < RoundBuffers.BUFFERS ? -1 : part.round();
    long at = place(part.partition(), part.round()) + part.inBuffer();
    int target = ranks + part.partition();
    return new TargetPut(target, exposed, part.inWrite(), at, part.length(), fence);
  }

  /** Returns the same put to the collector instead of its rank. */
  private TargetPut toCollector(TargetPut put) {
    int collector = ranks + plan.partitionOf(put.target());
    return new TargetPut(
        collector, put.exposed(), put.from(), put.at(), put.length(), put.fenced());
  }

  private long place(int partition, int round) {
    return round % RoundBuffers.BUFFERS * plan.bufferBytes(partition);
  }

  private Schedule collecting(int number, int partition) {
    if (plan.rounds(partition) == 0) {
      return Schedule.empty("collect", number);
    }
    TreeSet<Integer> sources = new TreeSet<>();
    for (int round = 0; round < plan.rounds(partition); round++) {
      plan.arrivals(partition, round).forEach(arrival -> sources.add(arrival.source()));
    }
    return PutRounds.collecting(
        number,
        new Rounds(
            plan.rounds(partition),
            RoundBuffers.BUFFERS,
            List.copyOf(sources),
            round -> filled(partition, Math.toIntExact(round))));
  }

  private List<Filled> filled(int partition, int round) {
    long start = place(partition, round);
    return AggregationPlan.segments(plan.arrivals(partition, round)).stream()
        .map(part -> new Filled(start + part.inBuffer(), part.offset(), part.length()))
        .toList();
  }
}
