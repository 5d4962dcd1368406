package org.hyperslab.plugins.mpiio.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.hyperslab.plugins.mpiio.access.ExtentRuns;
import org.hyperslab.plugins.mpiio.comm.Communicator;

/** How ranks tell each other numbers and extents. */
final class Wire {

  private final Communicator comm;

  Wire(Communicator comm) {
    this.comm = comm;
  }

  /** The summaries of all ranks. */
  AccessSummary[] summaries(AccessSummary mine) {
    long[] numbers = new long[AccessSummary.LONGS * comm.size()];
    comm.allGather(MemorySegment.ofArray(mine.toArray()), MemorySegment.ofArray(numbers));
    AccessSummary[] all = new AccessSummary[comm.size()];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = AccessSummary.of(numbers, rank);
    }
    return all;
  }

  /** The numbers of all ranks, of different lengths. */
  long[][] allGather(long[] mine) {
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

  /**
   * Sends each rank a list and receives one from each.
   *
   * @param forRank the list for each rank; null for an empty one
   */
  ExtentRuns[] exchange(ExtentRuns[] forRank) {
    int size = comm.size();
    long[][] encoded = new long[size][];
    long[] mine = new long[size];
    for (int rank = 0; rank < size; rank++) {
      encoded[rank] = forRank[rank] == null ? new long[0] : forRank[rank].encode();
      mine[rank] = encoded[rank].length;
    }
    long[] theirs = new long[size];
    comm.allToAll(mine, theirs, 1);
    long[] sent = concatenated(encoded);
    long[] received = new long[Math.toIntExact(Arrays.stream(theirs).sum())];
    comm.allToAllV(
        MemorySegment.ofArray(sent),
        bytes(mine),
        offsets(mine),
        MemorySegment.ofArray(received),
        bytes(theirs),
        offsets(theirs));
    ExtentRuns[] lists = new ExtentRuns[size];
    int at = 0;
    for (int rank = 0; rank < size; rank++) {
      lists[rank] = ExtentRuns.decode(received, at, (int) theirs[rank]);
      at += (int) theirs[rank];
    }
    return lists;
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
    return Arrays.stream(longs).map(count -> count * ValueLayout.JAVA_LONG.byteSize()).toArray();
  }

  private static long[] offsets(long[] longs) {
    long[] offsets = new long[longs.length];
    for (int i = 1; i < longs.length; i++) {
      offsets[i] = offsets[i - 1] + longs[i - 1] * Long.BYTES;
    }
    return offsets;
  }

  /** Where ranks run. */
  Topology topology() {
    long[] here = {comm.rank()};
    Communicator node = comm.splitByNode();
    try {
      node.allReduce(here, org.hyperslab.plugins.mpiio.comm.Reduction.MIN);
    } finally {
      node.close();
    }
    long[] mine = {here[0], Runtime.getRuntime().availableProcessors()};
    long[][] all = allGather(mine);
    return new Topology(
        Arrays.stream(all).map(pair -> (int) pair[0]).toList(),
        Arrays.stream(all).map(pair -> (int) pair[1]).toList());
  }
}
