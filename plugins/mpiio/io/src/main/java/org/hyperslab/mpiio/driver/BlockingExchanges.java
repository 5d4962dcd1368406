package org.hyperslab.mpiio.driver;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.Request;

/**
 * Exchanges by the communicator's collective calls, which wait for the other ranks: the fastest
 * method for a rank that waits anyway.
 *
 * @param comm the ranks
 */
record BlockingExchanges(Communicator comm) implements NumberExchanges {

  /** An exchange that has ended. */
  private record Ended(long[][] received) implements PendingExchange {
    @Override
    public boolean test() {
      return true;
    }

    @Override
    public long await() {
      return 0;
    }

    @Override
    public Set<Integer> awaitedRanks() {
      return Set.of();
    }
  }

  @Override
  public PendingExchange gather(long[] mine, boolean equal) {
    return new Ended(equal ? gatherEqual(mine) : gatherAny(mine));
  }

  private long[][] gatherEqual(long[] mine) {
    long[] numbers = new long[Math.multiplyExact(mine.length, comm.size())];
    comm.allGather(MemorySegment.ofArray(mine), MemorySegment.ofArray(numbers));
    long[][] all = new long[comm.size()][];
    for (int rank = 0; rank < all.length; rank++) {
      int from = rank * mine.length;
      all[rank] = Arrays.copyOfRange(numbers, from, from + mine.length);
    }
    return all;
  }

  private long[][] gatherAny(long[] mine) {
    byte[] bytes = new byte[Math.multiplyExact(mine.length, Long.BYTES)];
    MemorySegment.ofArray(bytes).copyFrom(MemorySegment.ofArray(mine));
    byte[][] gathered = comm.allGatherBytes(bytes);
    long[][] all = new long[gathered.length][];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = new long[gathered[rank].length / Long.BYTES];
      MemorySegment.ofArray(all[rank]).copyFrom(MemorySegment.ofArray(gathered[rank]));
    }
    return all;
  }

  @Override
  public PendingExchange exchange(long[][] forRank) {
    int size = comm.size();
    long[] mine = Arrays.stream(forRank).mapToLong(numbers -> numbers.length).toArray();
    long[] theirs = new long[size];
    comm.allToAll(mine, theirs, 1);
    long[] sent = concatenated(forRank);
    long[] incoming = new long[Math.toIntExact(Arrays.stream(theirs).sum())];
    comm.allToAllV(
        MemorySegment.ofArray(sent),
        bytes(mine),
        offsets(mine),
        MemorySegment.ofArray(incoming),
        bytes(theirs),
        offsets(theirs));
    long[][] received = new long[size][];
    int at = 0;
    for (int rank = 0; rank < size; rank++) {
      received[rank] = Arrays.copyOfRange(incoming, at, at + (int) theirs[rank]);
      at += (int) theirs[rank];
    }
    return new Ended(received);
  }

  private static long[] concatenated(long[][] parts) {
    long[] all = new long[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (long[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static long[] bytes(long[] longs) {
    return Arrays.stream(longs).map(count -> count * Long.BYTES).toArray();
  }

  private static long[] offsets(long[] longs) {
    long[] offsets = new long[longs.length];
    for (int i = 1; i < longs.length; i++) {
      offsets[i] = offsets[i - 1] + longs[i - 1] * Long.BYTES;
    }
    return offsets;
  }

  @Override
  public PendingExchange reduce(long[] values, Reduction reduction) {
    long[] outcome = values.clone();
    comm.allReduce(outcome, reduction);
    return new Ended(new long[][] {outcome});
  }

  @Override
  public Request barrier() {
    comm.barrier();
    return new Ended(null);
  }
}
