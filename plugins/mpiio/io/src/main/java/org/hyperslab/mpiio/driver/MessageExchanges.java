package org.hyperslab.mpiio.driver;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.Request;

/**
 * Exchanges by non-blocking messages with one tag. Exchanges with different tags proceed
 * concurrently, in whatever order ranks start them.
 *
 * @param comm the ranks
 * @param tag the tag, which no other exchange between these ranks uses at the same time
 */
record MessageExchanges(Communicator comm, int tag) implements NumberExchanges {

  @Override
  public PendingExchange gather(long[] mine, boolean equal) {
    return equal ? new Gathering(mine, lengths(mine.length)) : new GatheringAny(mine);
  }

  private long[] lengths(int length) {
    long[] lengths = new long[comm.size()];
    Arrays.fill(lengths, length);
    return lengths;
  }

  @Override
  public PendingExchange exchange(long[][] forRank) {
    return new Exchanging(forRank);
  }

  @Override
  public PendingExchange reduce(long[] values, Reduction reduction) {
    return new Reducing(values.clone(), reduction);
  }

  /** A reduction of nothing ends when all ranks have begun it. */
  @Override
  public Request barrier() {
    return new Reducing(new long[0], Reduction.SUM);
  }

  /** An exchange in stages: one begins when all messages of the last have arrived. */
  private abstract class Staged implements PendingExchange {
    private final List<Request> pending = new ArrayList<>();
    private boolean ended;
    private boolean cancelled;

    /** Starts the messages of the next stage; false if there is none. */
    abstract boolean startStage();

    final void send(long[] numbers, int destination) {
      Request sent = comm.startSend(MemorySegment.ofArray(numbers), destination, tag);
      pending.add(new PeerRequest(sent, destination));
    }

    final long[] receive(long count, int source) {
      long[] numbers = new long[Math.toIntExact(count)];
      Request request = comm.startReceive(MemorySegment.ofArray(numbers), source, tag);
      pending.add(new PeerRequest(request, source));
      return numbers;
    }

    @Override
    public final boolean test() {
      while (!ended) {
        pending.removeIf(Request::test);
        if (!pending.isEmpty()) {
          return false;
        }
        ended = cancelled || !startStage();
      }
      return true;
    }

    @Override
    public final void cancel() {
      cancelled = true;
      pending.forEach(Request::cancel);
    }

    @Override
    public final Set<Integer> awaitedRanks() {
      return PeerRequest.ranksOf(pending);
    }

    @Override
    public final long await() {
      while (!test()) {
        pending.getFirst().await();
      }
      return 0;
    }
  }

  /**
   * Doubles the number of ranks whose numbers it has in each stage, after Bruck, Ho, Kipnis, Upfal,
   * Weathersby: Efficient Algorithms for All-to-All Communications (1997).
   */
  private final class Gathering extends Staged {
    private final long[] lengths;

    /** The numbers of rank {@code me + i}, modulo the size, at index i. */
    private final long[][] ring;

    private int have = 1;
    private long[] incoming;

    Gathering(long[] mine, long[] lengths) {
      this.lengths = lengths;
      this.ring = new long[comm.size()][];
      ring[0] = mine;
    }

    private int rankAt(int place) {
      return (comm.rank() + place) % ring.length;
    }

    @Override
    boolean startStage() {
      takeIn();
      if (have == ring.length) {
        return false;
      }
      int count = Math.min(have, ring.length - have);
      long bytes = 0;
      for (int i = 0; i < count; i++) {
        bytes = Math.addExact(bytes, lengths[rankAt(have + i)]);
      }
      incoming = receive(bytes, rankAt(have));
      send(concatenated(count), Math.floorMod(comm.rank() - have, ring.length));
      return true;
    }

    private void takeIn() {
      int at = 0;
      int count = incoming == null ? 0 : Math.min(have, ring.length - have);
      for (int i = 0; i < count; i++) {
        int length = (int) lengths[rankAt(have + i)];
        ring[have + i] = Arrays.copyOfRange(incoming, at, at + length);
        at += length;
      }
      have += count;
    }

    private long[] concatenated(int count) {
      long[] all = new long[Arrays.stream(ring, 0, count).mapToInt(part -> part.length).sum()];
      int at = 0;
      for (int i = 0; i < count; i++) {
        System.arraycopy(ring[i], 0, all, at, ring[i].length);
        at += ring[i].length;
      }
      return all;
    }

    @Override
    public long[][] received() {
      long[][] all = new long[ring.length][];
      for (int i = 0; i < ring.length; i++) {
        all[rankAt(i)] = ring[i];
      }
      return all;
    }
  }

  /** First gathers the length of each rank's numbers. */
  private final class GatheringAny implements PendingExchange {
    private final long[] mine;
    private Gathering lengths;
    private Gathering numbers;
    private boolean cancelled;

    GatheringAny(long[] mine) {
      this.mine = mine;
      this.lengths = new Gathering(new long[] {mine.length}, lengths(1));
    }

    @Override
    public boolean test() {
      if (numbers == null) {
        if (!lengths.test()) {
          return false;
        }
        if (cancelled) {
          return true;
        }
        begin();
      }
      return numbers.test();
    }

    @Override
    public void cancel() {
      cancelled = true;
      (numbers == null ? lengths : numbers).cancel();
    }

    @Override
    public Set<Integer> awaitedRanks() {
      return numbers == null ? lengths.awaitedRanks() : numbers.awaitedRanks();
    }

    private void begin() {
      long[] all = Arrays.stream(lengths.received()).mapToLong(length -> length[0]).toArray();
      numbers = new Gathering(mine, all);
      lengths = null;
    }

    @Override
    public long await() {
      if (numbers == null) {
        lengths.await();
        begin();
      }
      return numbers.await();
    }

    @Override
    public long[][] received() {
      return numbers.received();
    }
  }

  /** First sends the lengths to all ranks, then the numbers to those that get any. */
  private final class Exchanging extends Staged {
    private final long[][] forRank;
    private final long[][] received;
    private int stage;

    Exchanging(long[][] forRank) {
      this.forRank = forRank;
      this.received = new long[comm.size()][];
    }

    @Override
    boolean startStage() {
      int me = comm.rank();
      for (int step = 1; stage < 2 && step < received.length; step++) {
        int source = Math.floorMod(me - step, received.length);
        int destination = (me + step) % received.length;
        if (stage == 0) {
          received[source] = receive(1, source);
          send(new long[] {forRank[destination].length}, destination);
          continue;
        }
        received[source] =
            received[source][0] == 0 ? new long[0] : receive(received[source][0], source);
        if (forRank[destination].length > 0) {
          send(forRank[destination], destination);
        }
      }
      received[me] = forRank[me];
      return stage++ < 2;
    }

    @Override
    public long[][] received() {
      return received;
    }
  }

  /**
   * Each rank exchanges with one that is twice as far away in each stage. If the number of ranks is
   * not a power of two, ranks beyond the largest power are represented by another rank.
   */
  private final class Reducing extends Staged {
    private final long[] values;
    private final Reduction reduction;
    private final int inner = Integer.highestOneBit(comm.size());
    private int distance;
    private long[] incoming;
    private boolean over;

    Reducing(long[] values, Reduction reduction) {
      this.values = values;
      this.reduction = reduction;
    }

    @Override
    boolean startStage() {
      if (over) {
        copyOutcome();
        return false;
      }
      if (comm.rank() >= inner) {
        send(values.clone(), comm.rank() - inner);
        incoming = receive(values.length, comm.rank() - inner);
        over = true;
        return true;
      }
      if (incoming != null) {
        reduction.accumulate(values, incoming);
        incoming = null;
      }
      return startInnerStage();
    }

    private boolean startInnerStage() {
      boolean standsForOne = comm.rank() + inner < comm.size();
      if (distance == 0) {
        distance = 1;
        if (standsForOne) {
          incoming = receive(values.length, comm.rank() + inner);
          return true;
        }
      }
      if (distance < inner) {
        send(values.clone(), comm.rank() ^ distance);
        incoming = receive(values.length, comm.rank() ^ distance);
        distance *= 2;
        return true;
      }
      over = true;
      if (standsForOne) {
        send(values.clone(), comm.rank() + inner);
      }
      return standsForOne;
    }

    private void copyOutcome() {
      if (incoming != null) {
        System.arraycopy(incoming, 0, values, 0, values.length);
      }
    }

    @Override
    public long[][] received() {
      return new long[][] {values};
    }
  }
}
