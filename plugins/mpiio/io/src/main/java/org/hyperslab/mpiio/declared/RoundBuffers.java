package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.declared.AggregationPlan.Arrival;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;

/**
 * The buffers of an aggregator: one is filled while the other is written. A round is complete when
 * all its bytes have arrived, whose number the aggregator knows, without a meeting of the ranks.
 * Parts are received directly at their places in the buffer. An empty part was abandoned by its
 * rank, and is not written.
 *
 * <p>Thread rule: confined to one thread; buffers are written by threads of the executor.
 */
final class RoundBuffers implements AutoCloseable {

  /** The most rounds that are collected and written at a time. */
  static final int BUFFERS = 2;

  private final Communicator comm;
  private final ByteStore store;
  private final Executor writers;
  private final AggregationPlan plan;
  private final int partition;
  private final int tag;
  private final Lease lease;
  private final long bufferBytes;
  private final Round[] filling = new Round[BUFFERS];
  private final CompletableFuture<?>[] writing = new CompletableFuture<?>[BUFFERS];
  private int nextRound;
  private int ended;
  private HyperslabException failure;

  /** A round that is being collected. */
  private static final class Round {
    final MemorySegment buffer;
    final List<Request> requests = new ArrayList<>();
    final List<Arrival> coming = new ArrayList<>();
    final List<Arrival> arrived = new ArrayList<>();

    /** The bytes of this rank's own parts that are missing. */
    long own;

    Round(MemorySegment buffer) {
      this.buffer = buffer;
    }
  }

  /**
   * Creates the buffers of this rank, which is the aggregator of a partition.
   *
   * @param lease memory for all rounds, but for at most {@link #BUFFERS} of them; closed by this
   * @param bufferBytes the maximum size of a round in bytes
   */
  RoundBuffers(
      Collected collected, AggregationPlan plan, int partition, Lease lease, long bufferBytes) {
    this.comm = collected.comm;
    this.store = collected.store;
    this.writers = collected.writers;
    this.tag = collected.tag;
    this.plan = plan;
    this.partition = partition;
    this.lease = lease;
    this.bufferBytes = bufferBytes;
    try {
      for (int i = 0; i < BUFFERS; i++) {
        begin();
      }
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /**
   * The source of parts and the destination of rounds.
   *
   * @param comm the ranks
   * @param tag that of the messages
   * @param store the file
   * @param writers carry out requests to it
   */
  record Collected(Communicator comm, int tag, ByteStore store, Executor writers) {}

  private void begin() {
    if (nextRound == plan.rounds(partition)) {
      return;
    }
    int slot = nextRound % BUFFERS;
    Round round = new Round(lease.segment().asSlice(slot * bufferBytes, bufferBytes));
    filling[slot] = round;
    for (Arrival arrival : plan.arrivals(partition, nextRound)) {
      Part part = arrival.part();
      if (arrival.source() == comm.rank()) {
        round.own += part.length();
        continue;
      }
      MemorySegment place = round.buffer.asSlice(part.inBuffer(), part.length());
      round.coming.add(arrival);
      round.requests.add(comm.startReceive(place, arrival.source(), tag));
    }
    nextRound++;
  }

  /**
   * Adds one of this rank's own parts.
   *
   * @param data the bytes; null if the part is abandoned
   * @return false if its round has no buffer yet
   */
  boolean put(Part part, MemorySegment data) {
    if (part.round() >= nextRound) {
      return false;
    }
    Round round = filling[part.round() % BUFFERS];
    if (data != null) {
      MemorySegment.copy(data, 0, round.buffer, part.inBuffer(), part.length());
      round.arrived.add(new Arrival(comm.rank(), part));
    }
    round.own -= part.length();
    return true;
  }

  /** Advances without waiting; returns whether there was progress. */
  boolean advance() {
    boolean moved = false;
    for (int i = 0; i < BUFFERS && !isDone(); i++) {
      int slot = ended % BUFFERS;
      if (writing[slot] != null && writing[slot].isDone()) {
        writing[slot] = null;
        ended++;
        begin();
        moved = true;
      }
    }
    for (int round = ended; round < nextRound; round++) {
      moved |= collect(round % BUFFERS);
    }
    return moved;
  }

  private boolean collect(int slot) {
    Round round = filling[slot];
    if (round == null) {
      return false;
    }
    int before = round.requests.size();
    for (int i = before - 1; i >= 0; i--) {
      if (round.requests.get(i).test()) {
        Arrival arrival = round.coming.remove(i);
        if (round.requests.remove(i).await() == arrival.part().length()) {
          round.arrived.add(arrival);
        }
      }
    }
    if (round.own == 0 && round.requests.isEmpty()) {
      filling[slot] = null;
      writing[slot] = CompletableFuture.runAsync(() -> write(round), writers);
      return true;
    }
    return before > round.requests.size();
  }

  private void write(Round round) {
    if (failure() != null) {
      return;
    }
    try {
      List<Part> segments = AggregationPlan.segments(round.arrived);
      long[] offsets = segments.stream().mapToLong(Part::offset).toArray();
      MemorySegment[] sources =
          segments.stream()
              .map(part -> round.buffer.asSlice(part.inBuffer(), part.length()))
              .toArray(MemorySegment[]::new);
      if (offsets.length == 1) {
        store.write(offsets[0], sources[0]);
      } else if (offsets.length > 1) {
        store.writeList(offsets, sources);
      }
    } catch (RuntimeException | Error e) {
      fail(SharedFailure.typed(e, "declared write"));
    }
  }

  private synchronized void fail(HyperslabException why) {
    failure = failure == null ? why : failure;
  }

  /** Returns the first failure of writing; null if there is none. */
  synchronized HyperslabException failure() {
    return failure;
  }

  /** Returns whether all rounds have been written. */
  boolean isDone() {
    return ended == plan.rounds(partition);
  }

  /** Returns the ranks whose parts are missing, ascending, including this rank. */
  Set<Integer> awaitedRanks() {
    Set<Integer> ranks = new TreeSet<>();
    for (Round round : filling) {
      if (round != null) {
        round.coming.forEach(arrival -> ranks.add(arrival.source()));
        if (round.own > 0) {
          ranks.add(comm.rank());
        }
      }
    }
    return ranks;
  }

  /** Returns whether a buffer is being written. */
  boolean isWriting() {
    for (CompletableFuture<?> each : writing) {
      if (each != null && !each.isDone()) {
        return true;
      }
    }
    return false;
  }

  /** Gives up the parts that are missing, and frees the buffers when they are not accessed. */
  @Override
  public void close() {
    List<Request> coming = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      if (filling[i] != null) {
        coming.addAll(filling[i].requests);
        filling[i] = null;
      }
    }
    CompletableFuture<?> written =
        CompletableFuture.allOf(
            Arrays.stream(writing).filter(Objects::nonNull).toArray(CompletableFuture[]::new));
    Request.giveUp(coming, () -> written.whenComplete((_, _) -> lease.close()));
  }
}
