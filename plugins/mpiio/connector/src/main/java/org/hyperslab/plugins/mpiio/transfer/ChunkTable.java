package org.hyperslab.plugins.mpiio.transfer;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;

/**
 * One rank's table of the places of a dataset's chunks: runs of chunks at equal distances, from a
 * snapshot of rank 0's index, and the later changes.
 *
 * <p>Run i: {@code counts[i]} chunks from number {@code numbers[i]} on, in row-major order within
 * {@code grid}; the k-th at {@code offsets[i] + k * strides[i]}, all of {@code sizes[i]} bytes.
 *
 * <p>Thread rule: any thread; a lookup may or may not see a concurrent change.
 */
public final class ChunkTable {

  private final long[] grid;
  private final long[][] runs;
  private final ConcurrentHashMap<ChunkKey, ChunkPlace> later = new ConcurrentHashMap<>();

  private static final int NUMBER = 0;
  private static final int COUNT = 1;
  private static final int OFFSET = 2;
  private static final int STRIDE = 3;
  private static final int SIZE = 4;
  private static final int MASK = 5;
  private static final int FIELDS = 6;

  private long count;
  private long storedBytes;

  private ChunkTable(long[] grid, long[][] runs) {
    this.grid = grid;
    this.runs = runs;
    for (long[] run : runs) {
      count += run[COUNT];
      storedBytes += run[COUNT] * run[SIZE];
    }
  }

  /** Returns a table of the given places; chunks outside the grid are ignored. */
  static ChunkTable of(long[] grid, List<ChunkPlace> places) {
    long[][] entries = new long[places.size()][];
    int kept = 0;
    for (ChunkPlace place : places) {
      long number = number(grid, place.scaled());
      if (number >= 0) {
        entries[kept++] =
            new long[] {number, 1, place.offset(), 0, place.storedBytes(), place.filterMask()};
      }
    }
    Arrays.sort(entries, 0, kept, (a, b) -> Long.compare(a[NUMBER], b[NUMBER]));
    int runs = 0;
    for (int i = 0; i < kept; i++) {
      if (runs == 0 || !joins(entries[runs - 1], entries[i])) {
        entries[runs++] = entries[i];
      }
    }
    return new ChunkTable(grid, Arrays.copyOf(entries, runs));
  }

  private static boolean joins(long[] run, long[] next) {
    boolean alike = run[SIZE] == next[SIZE] && run[MASK] == next[MASK];
    if (!alike || next[NUMBER] != run[NUMBER] + run[COUNT]) {
      return false;
    }
    long stride = next[OFFSET] - run[OFFSET] - (run[COUNT] - 1) * run[STRIDE];
    if (run[COUNT] > 1 && stride != run[STRIDE]) {
      return false;
    }
    run[STRIDE] = stride;
    run[COUNT]++;
    return true;
  }

  /**
   * Returns a chunk's number in the grid, or -1 if it is outside or the grid has too many chunks.
   */
  private static long number(long[] grid, long[] scaled) {
    long number = 0;
    for (int d = 0; d < grid.length; d++) {
      if (scaled[d] >= grid[d] || Math.multiplyHigh(number, grid[d]) != 0) {
        return -1;
      }
      number = number * grid[d] + scaled[d];
      if (number < 0) {
        return -1;
      }
    }
    return number;
  }

  /** Returns the place of a chunk, or null. */
  public ChunkPlace find(long[] scaled) {
    if (!later.isEmpty()) {
      ChunkPlace place = later.get(new ChunkKey(scaled));
      if (place != null) {
        return place;
      }
    }
    long number = number(grid, scaled);
    int low = 0;
    int high = runs.length - 1;
    while (number >= 0 && low <= high) {
      int middle = (low + high) >>> 1;
      long[] run = runs[middle];
      if (number < run[NUMBER]) {
        high = middle - 1;
      } else if (number >= run[NUMBER] + run[COUNT]) {
        low = middle + 1;
      } else {
        long offset = run[OFFSET] + (number - run[NUMBER]) * run[STRIDE];
        return new ChunkPlace(scaled, offset, run[SIZE], (int) run[MASK]);
      }
    }
    return null;
  }

  /** Sets the place of a chunk. */
  public synchronized void put(ChunkPlace place) {
    ChunkPlace old = find(place.scaled());
    count += old == null ? 1 : 0;
    storedBytes += place.storedBytes() - (old == null ? 0 : old.storedBytes());
    later.put(new ChunkKey(place.scaled()), place);
  }

  /** Returns the number of chunks that have a place. */
  synchronized long count() {
    return count;
  }

  /** Returns the total stored size in bytes. */
  synchronized long storedBytes() {
    return storedBytes;
  }

  /** Writes a table that {@link #put} has not changed. */
  void encode(DataOutput out) throws IOException {
    out.writeInt(runs.length);
    for (long[] run : runs) {
      for (long field : run) {
        out.writeLong(field);
      }
    }
  }

  static ChunkTable decode(long[] grid, DataInput in) throws IOException {
    long[][] runs = new long[in.readInt()][FIELDS];
    for (long[] run : runs) {
      for (int field = 0; field < FIELDS; field++) {
        run[field] = in.readLong();
      }
    }
    return new ChunkTable(grid, runs);
  }

  @Override
  public String toString() {
    return runs.length
        + " runs of chunks in "
        + Arrays.toString(grid)
        + ", "
        + later.size()
        + " since";
  }
}
