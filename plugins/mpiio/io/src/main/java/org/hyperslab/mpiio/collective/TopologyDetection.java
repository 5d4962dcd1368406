package org.hyperslab.mpiio.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.driver.CrossMemoryAttach;
import org.hyperslab.mpiio.plan.Topology;

/** Determines the topology of ranks. */
final class TopologyDetection {

  /** The number that a rank stores, plus its rank, where others try to read it. */
  private static final long PROBE = 0x6879_7065_7273_6c00L;

  private final Communicator comm;

  /** The time that each call waits for other ranks. */
  private final long limitNanos;

  TopologyDetection(Communicator comm, long limitNanos) {
    this.comm = comm;
    this.limitNanos = limitNanos;
  }

  /** Returns the numbers of all ranks, of equal lengths. */
  private long[][] allGather(long[] mine) {
    long[] gathered = new long[Math.multiplyExact(mine.length, comm.size())];
    comm.limit(limitNanos);
    comm.allGather(MemorySegment.ofArray(mine), MemorySegment.ofArray(gathered));
    long[][] all = new long[comm.size()][];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = Arrays.copyOfRange(gathered, rank * mine.length, (rank + 1) * mine.length);
    }
    return all;
  }

  /** Returns the first rank on the same node as each. */
  private static List<Integer> firstRanks(long[][] all) {
    Map<Long, Integer> first = new HashMap<>();
    for (int rank = 0; rank < all.length; rank++) {
      first.putIfAbsent(all[rank][0], rank);
    }
    return Arrays.stream(all).map(rank -> first.get(rank[0])).toList();
  }

  /**
   * Returns the topology of the ranks, and whether they reach each other's memory.
   *
   * @param neighbours accesses the memory of other processes
   */
  Topology topology(CrossMemoryAttach neighbours) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment probe = arena.allocateFrom(ValueLayout.JAVA_LONG, PROBE + comm.rank());
      long[] mine = {
        comm.node(),
        Runtime.getRuntime().availableProcessors(),
        SharedObjects.process(),
        ProcessHandle.current().pid(),
        probe.address(),
        Topology.host(Topology.hostName())
      };
      long[][] all = allGather(mine);
      return new Topology(
          firstRanks(all),
          Arrays.stream(all).map(rank -> (int) rank[1]).toList(),
          reachEachOther(all, neighbours)
              ? Arrays.stream(all).map(rank -> (int) rank[3]).toList()
              : List.of(),
          Arrays.stream(all).map(rank -> rank[5]).toList(),
          isOneProcess(all),
          comm.grid());
    }
  }

  private static boolean isOneProcess(long[][] all) {
    return Arrays.stream(all).allMatch(rank -> rank[2] == all[0][2]);
  }

  /** Returns whether every rank can read every other's memory; tested if all are on one node. */
  private boolean reachEachOther(long[][] all, CrossMemoryAttach neighbours) {
    boolean oneNode = Arrays.stream(all).allMatch(rank -> rank[0] == all[0][0]);
    boolean mixed = Arrays.stream(all).mapToLong(rank -> rank[2]).distinct().count() < all.length;
    boolean reached = !isOneProcess(all) && !mixed && oneNode && CrossMemoryAttach.available();
    for (int rank = 0; reached && rank < all.length; rank++) {
      CrossMemoryAttach.Neighbour neighbour =
          new CrossMemoryAttach.Neighbour((int) all[rank][3], all[rank][4]);
      reached = rank == comm.rank() || neighbours.reaches(neighbour, PROBE + rank);
    }
    long[] agreed = {reached ? 1 : 0};
    comm.limit(limitNanos);
    comm.allReduce(agreed, Reduction.MIN);
    return agreed[0] == 1;
  }
}
