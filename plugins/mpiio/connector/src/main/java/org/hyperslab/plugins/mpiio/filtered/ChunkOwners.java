package org.hyperslab.plugins.mpiio.filtered;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;

/**
 * Assigns each chunk of a collective transfer to the rank that encodes and writes it, or reads and
 * decodes it: the rank with most of its elements, unless that rank would exceed its share. Every
 * rank computes the same result from the same numbers.
 *
 * <p>Thread rule: immutable.
 */
final class ChunkOwners {

  private final List<Touched> chunks;
  private final int ranks;
  private final boolean shared;

  /**
   * A chunk that is written or read.
   *
   * @param scaled its coordinates
   * @param owner the rank that writes or reads it
   * @param turn the number of chunks of its owner before it
   */
  record Touched(ChunkKey scaled, int owner, int turn) {}

  private ChunkOwners(List<Touched> chunks, int ranks, boolean shared) {
    this.chunks = chunks;
    this.ranks = ranks;
    this.shared = shared;
  }

  /** The number of elements of a chunk that each rank has, in rank order. */
  private static final class Claims {
    final List<long[]> byRank = new ArrayList<>();
  }

  /**
   * Assigns the chunks of a write.
   *
   * @param dimensions the number of dimensions of the dataset
   * @param touched for each rank and each chunk that it writes to, the chunk's coordinates and the
   *     number of elements
   */
  static ChunkOwners forWriting(int dimensions, long[][] touched) {
    return of(dimensions, touched, false);
  }

  /** Assigns the chunks of a read; a chunk that only one rank reads belongs to that rank. */
  static ChunkOwners forReading(int dimensions, long[][] touched) {
    return of(dimensions, touched, true);
  }

  private static ChunkOwners of(int dimensions, long[][] touched, boolean read) {
    TreeMap<ChunkKey, Claims> claims = new TreeMap<>();
    for (int rank = 0; rank < touched.length; rank++) {
      long[] all = touched[rank];
      for (int at = 0; at < all.length; at += dimensions + 1) {
        long[] scaled = Arrays.copyOfRange(all, at, at + dimensions);
        claims
            .computeIfAbsent(new ChunkKey(scaled), key -> new Claims())
            .byRank
            .add(new long[] {rank, all[at + dimensions]});
      }
    }
    int share = Math.ceilDiv(claims.size(), touched.length);
    int[] loads = new int[touched.length];
    List<Touched> chunks = new ArrayList<>(claims.size());
    boolean shared = false;
    for (Map.Entry<ChunkKey, Claims> each : claims.entrySet()) {
      Claims claim = each.getValue();
      boolean single = claim.byRank.size() == 1;
      shared |= !single;
      int owner = owner(claim, loads, read && single ? Integer.MAX_VALUE : share);
      chunks.add(new Touched(each.getKey(), owner, loads[owner]++));
    }
    return new ChunkOwners(chunks, touched.length, shared);
  }

  private static int owner(Claims claims, int[] loads, int share) {
    int best = -1;
    long most = -1;
    for (long[] claim : claims.byRank) {
      int rank = (int) claim[0];
      boolean more = claim[1] > most || (claim[1] == most && loads[rank] < loads[best]);
      if (loads[rank] < share && more) {
        best = rank;
        most = claim[1];
      }
    }
    return best >= 0 ? best : leastLoaded(loads);
  }

  private static int leastLoaded(int[] loads) {
    int least = 0;
    for (int rank = 1; rank < loads.length; rank++) {
      if (loads[rank] < loads[least]) {
        least = rank;
      }
    }
    return least;
  }

  /** Returns whether two ranks or more touch one chunk. */
  boolean areShared() {
    return shared;
  }

  /** Returns all chunks in row-major order. */
  List<Touched> chunks() {
    return chunks;
  }

  /** Returns the greatest number of chunks that a rank owns. */
  int mostOwned() {
    int[] owned = new int[ranks];
    int most = 0;
    for (Touched chunk : chunks) {
      most = Math.max(most, ++owned[chunk.owner]);
    }
    return most;
  }
}
