package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.declared.AggregationPlan.Arrival;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;
import org.hyperslab.mpiio.put.PutRounds;

/**
 * Puts parts into windows of the aggregators, with a fence by round. A rank fences a round when it
 * has put its last part of it; an aggregator writes a round when all ranks that have parts in its
 * partition have fenced it, and exposes the buffer again when that is in the file.
 *
 * <p>A window begins with a number for each rank: 0, or 1 more than the number of writes that it
 * has made before it gave up. Parts of later writes are not written.
 */
final class PutTransport implements PartTransport {

  private final int rank;
  private final AggregationPlan plan;
  private final PutWindow window;
  private final PutRounds puts;
  private final long headBytes;

  /** For each part of this rank that goes to an aggregator, in order, the fence after it. */
  private final long[] fences;

  private final Set<Integer> marked = new HashSet<>();

  /** The parts that this rank collects; null if none. */
  private final PutRounds.StartedRounds collecting;

  private final int partition;
  private final long ownBytes;
  private int next;
  private int made;
  private boolean done;
  private boolean freed;

  /**
   * Begins to collect.
   *
   * @param rank this rank
   * @param ranks the number of ranks
   * @param plan the plan
   * @param window has at least {@link #windowBytes} on every rank
   * @param puts moves bytes in the window
   */
  PutTransport(int rank, int ranks, AggregationPlan plan, PutWindow window, PutRounds puts) {
    this.rank = rank;
    this.plan = plan;
    this.window = window;
    this.puts = puts;
    this.headBytes = headBytes(ranks);
    this.partition = plan.partitionOf(rank);
    this.ownBytes = partition < 0 ? 0 : buffers(plan, partition) * plan.bufferBytes(partition);
    this.fences = fences();
    if (partition < 0 || plan.rounds(partition) == 0) {
      this.collecting = null;
      this.done = true;
    } else {
      PutRounds.Rounds rounds =
          new PutRounds.Rounds(
              plan.rounds(partition), RoundBuffers.BUFFERS, sources(), this::filled);
      this.collecting = puts.startWriting(rounds);
    }
  }

  private static long headBytes(int ranks) {
    return (long) Long.BYTES * ranks;
  }

  private static int buffers(AggregationPlan plan, int partition) {
    return Math.min(RoundBuffers.BUFFERS, plan.rounds(partition));
  }

  /** Returns the length of each rank's window; 0 if it collects nothing. */
  static long[] windowBytes(int ranks, AggregationPlan plan) {
    long[] bytes = new long[ranks];
    for (int partition = 0; partition < plan.partitions(); partition++) {
      if (plan.rounds(partition) > 0) {
        bytes[plan.aggregator(partition)] =
            headBytes(ranks) + buffers(plan, partition) * plan.bufferBytes(partition);
      }
    }
    return bytes;
  }

  /** Returns a number above those of all epochs that are completed or exposed for a plan. */
  static long epochs(AggregationPlan plan) {
    long most = 0;
    for (int partition = 0; partition < plan.partitions(); partition++) {
      most = Math.max(most, plan.rounds(partition));
    }
    return most + RoundBuffers.BUFFERS + 1L;
  }

  private List<Integer> sources() {
    Set<Integer> sources = new TreeSet<>();
    for (int round = 0; round < plan.rounds(partition); round++) {
      plan.arrivals(partition, round).forEach(arrival -> sources.add(arrival.source()));
    }
    return List.copyOf(sources);
  }

  private long[] fences() {
    puts.startPuts(MemorySegment.NULL, fencesBefore(plan, rank)).advance();
    return fencesAfterParts(plan, rank);
  }

  /** Returns fences of the rounds before a rank's first one of each partition. */
  static List<PutRounds.TargetPut> fencesBefore(AggregationPlan plan, int rank) {
    Set<Integer> seen = new HashSet<>();
    List<PutRounds.TargetPut> first = new ArrayList<>();
    for (int write = 0; write < plan.writes(rank); write++) {
      for (Part part : plan.parts(rank, write)) {
        if (!part.isOwn() && seen.add(part.partition()) && part.round() > 0) {
          int target = plan.aggregator(part.partition());
          first.add(new PutRounds.TargetPut(target, -1, 0, 0, 0, part.round() - 1L));
        }
      }
    }
    return first;
  }

  /**
   * Returns for each part of a rank that goes to an aggregator the round that it completes, because
   * the rank has nothing more for it; -1 if it completes none.
   */
  static long[] fencesAfterParts(AggregationPlan plan, int rank) {
    List<Long> all = new ArrayList<>();
    Map<Integer, Integer> latest = new HashMap<>();
    Map<Integer, Integer> rounds = new HashMap<>();
    for (int write = 0; write < plan.writes(rank); write++) {
      for (Part part : plan.parts(rank, write)) {
        if (part.isOwn()) {
          continue;
        }
        Integer before = latest.put(part.partition(), all.size());
        Integer round = rounds.put(part.partition(), part.round());
        if (before != null && round < part.round()) {
          all.set(before, part.round() - 1L);
        }
        all.add(-1L);
      }
    }
    latest.forEach((to, index) -> all.set(index, plan.rounds(to) - 1L));
    return all.stream().mapToLong(Long::longValue).toArray();
  }

  /** Says that a write has been made. */
  @Override
  public void writeMade() {
    made++;
  }

  @Override
  public Sending start(Part part, MemorySegment data) {
    int target = plan.aggregator(part.partition());
    long fence = fences[next++];
    List<PutRounds.TargetPut> targets = new ArrayList<>();
    MemorySegment bytes = data;
    if (data == null) {
      bytes = MemorySegment.ofArray(new long[] {made + 1});
      boolean tells = marked.add(target);
      long at = (long) Long.BYTES * rank;
      targets.add(new PutRounds.TargetPut(target, -1, 0, at, tells ? Long.BYTES : 0, fence));
    } else {
      long exposed = part.round() - RoundBuffers.BUFFERS < 0 ? -1 : part.round();
      long at = place(part.partition(), part.round()) + part.inBuffer();
      targets.add(new PutRounds.TargetPut(target, exposed, 0, at, part.length(), fence));
    }
    return new Put(puts.startPuts(bytes, targets));
  }

  private record Put(PutRounds.StartedRounds started) implements Sending {
    @Override
    public boolean test() {
      return started.advance();
    }

    @Override
    public Collection<Integer> awaitedRanks() {
      return started.awaitedRanks();
    }
  }

  /** Returns where a round begins in the window of its aggregator. */
  private long place(int to, int round) {
    return headBytes + round % RoundBuffers.BUFFERS * plan.bufferBytes(to);
  }

  private List<PutRounds.Filled> filled(long number) {
    int round = Math.toIntExact(number);
    long start = place(partition, round);
    List<Arrival> arrived = new ArrayList<>(plan.arrivals(partition, round));
    Map<Integer, Set<Part>> abandoned = new HashMap<>();
    arrived.removeIf(arrival ->
        abandoned.computeIfAbsent(arrival.source(), this::abandonedBy).contains(arrival.part()));
    return AggregationPlan.segments(arrived).stream()
        .map(part -> new PutRounds.Filled(start + part.inBuffer(), part.offset(), part.length()))
        .toList();
  }

  private Set<Part> abandonedBy(int source) {
    long number = window.own().get(ValueLayout.JAVA_LONG, (long) Long.BYTES * source);
    Set<Part> parts = new HashSet<>();
    for (long write = number - 1; number > 0 && write < plan.writes(source); write++) {
      parts.addAll(plan.parts(source, Math.toIntExact(write)));
    }
    return parts;
  }

  @Override
  public boolean advance() {
    if (done) {
      return false;
    }
    long before = collecting.moves();
    done = collecting.advance();
    return done || collecting.moves() > before;
  }

  @Override
  public boolean isWriting() {
    return !done && collecting.isWriting();
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public Collection<Integer> awaitedRanks() {
    return done ? List.of() : collecting.awaitedRanks();
  }

  @Override
  public HyperslabException failure() {
    return collecting == null ? null : collecting.failure();
  }

  @Override
  public long leasedBytes() {
    return freed ? 0 : ownBytes;
  }

  @Override
  public long peakBytes() {
    return ownBytes;
  }

  @Override
  public String describe() {
    return "by puts " + window.describe();
  }

  /**
   * Returns the window without marks of ranks that gave up; gives it up if a rank may still put
   * bytes into it, when this rank does not write any of it.
   */
  @Override
  public void close(boolean together) {
    if (freed) {
      return;
    }
    freed = true;
    if (together) {
      MemorySegment own = window.own();
      own.asSlice(0, Math.min(headBytes, own.byteSize())).fill((byte) 0);
      window.close();
      return;
    }
    if (!done) {
      collecting.giveUp();
    }
    window.giveUp();
  }
}
