package org.hyperslab.mpiio.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PeerBoard;
import org.hyperslab.mpiio.comm.Reduction;

/** Determines the topology of ranks. */
final class Wire {

  /** The number that a rank stores, plus its rank, where others try to read it. */
  private static final long PROBE = 0x6879_7065_7273_6c00L;

  private final Communicator comm;

  Wire(Communicator comm) {
    this.comm = comm;
  }

  /** Returns the numbers of all ranks, of different lengths. */
  private long[][] allGather(long[] mine) {
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
   * Returns the topology of the ranks, and whether they reach each other's memory.
   *
   * @param neighbours accesses the memory of other processes
   */
  Topology topology(NeighbourMemory neighbours) {
    long[] here = {comm.rank()};
    Communicator node = comm.splitByNode();
    try {
      node.allReduce(here, Reduction.MIN);
    } finally {
      node.close();
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment probe = arena.allocateFrom(ValueLayout.JAVA_LONG, PROBE + comm.rank());
      long[] mine = {
        here[0],
        Runtime.getRuntime().availableProcessors(),
        PeerBoard.process(),
        ProcessHandle.current().pid(),
        probe.address(),
        Topology.host(Topology.hostName())
      };
      long[][] all = allGather(mine);
      return new Topology(
          Arrays.stream(all).map(rank -> (int) rank[0]).toList(),
          Arrays.stream(all).map(rank -> (int) rank[1]).toList(),
          reachEachOther(all, neighbours)
              ? Arrays.stream(all).map(rank -> (int) rank[3]).toList()
              : List.of(),
          Arrays.stream(all).map(rank -> rank[5]).toList());
    }
  }

  /** Returns whether every rank can read every other's memory; tested if all are on one node. */
  private boolean reachEachOther(long[][] all, NeighbourMemory neighbours) {
    boolean threads = Arrays.stream(all).allMatch(rank -> rank[2] == PeerBoard.process());
    boolean oneNode = Arrays.stream(all).allMatch(rank -> rank[0] == all[0][0]);
    boolean mixed = Arrays.stream(all).mapToLong(rank -> rank[2]).distinct().count() < all.length;
    boolean reached = !threads && !mixed && oneNode && NeighbourMemory.available();
    for (int rank = 0; reached && rank < all.length; rank++) {
      NeighbourMemory.Neighbour neighbour =
          new NeighbourMemory.Neighbour((int) all[rank][3], all[rank][4]);
      reached = rank == comm.rank() || neighbours.reaches(neighbour, PROBE + rank);
    }
    long[] agreed = {reached ? 1 : 0};
    comm.allReduce(agreed, Reduction.MIN);
    return agreed[0] == 1;
  }
}
