package org.hyperslab.plugins.nativevol.chunk;

import java.util.Arrays;
import java.util.List;

/**
 * The scaled coordinates of all chunks of a dataset at one moment, in row-major order.
 *
 * <p>Positions are 0-based. Thread rule: immutable.
 */
final class ChunkOrder {

  private final int rank;
  private final int count;

  /** The coordinates of all chunks, one after another. */
  private final long[] coordinates;

  private ChunkOrder(int rank, int count, long[] coordinates) {
    this.rank = rank;
    this.count = count;
    this.coordinates = coordinates;
  }

  /**
   * Returns the order of chunks.
   *
   * @param rank the rank of the dataset
   * @param chunks the scaled coordinates, which are sorted
   */
  static ChunkOrder of(int rank, List<long[]> chunks) {
    chunks.sort(Arrays::compare);
    long[] coordinates = new long[Math.multiplyExact(chunks.size(), rank)];
    int at = 0;
    for (long[] scaled : chunks) {
      System.arraycopy(scaled, 0, coordinates, at, rank);
      at += rank;
    }
    return new ChunkOrder(rank, chunks.size(), coordinates);
  }

  /** Returns the number of chunks. */
  int count() {
    return count;
  }

  /** Returns the scaled coordinates of the chunk at a position. */
  long[] scaled(int position) {
    return Arrays.copyOfRange(coordinates, position * rank, (position + 1) * rank);
  }
}
