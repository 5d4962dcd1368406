package org.hyperslab.benchmarks.chunk;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time to add a chunk to an index of a million, and to find one in index order and at
 * random.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ChunkIndexBenchmark {

  /** Created by JMH. */
  public ChunkIndexBenchmark() {}

  private static final int CHUNKS = 1_000_000;

  /** The kind of index. */
  @Param({"BTREE_V1", "FIXED_ARRAY", "EXTENSIBLE_ARRAY", "BTREE_V2"})
  public ChunkIndexKind kind;

  private final long[] scaled = new long[1];
  private int[] random;
  private ChunkIndex index;

  /** Fills the index and draws the random order. */
  @Setup
  public void fill() {
    random = new Random(1).ints(CHUNKS, 0, CHUNKS).toArray();
    index = filled();
  }

  private ChunkIndex filled() {
    long maximum = kind == ChunkIndexKind.FIXED_ARRAY ? CHUNKS : ChunkGrid.UNLIMITED;
    int layout = kind == ChunkIndexKind.BTREE_V1 ? 3 : 4;
    ChunkGrid grid =
        new ChunkGrid(new long[1], new long[] {maximum}, new long[] {1}, 8, true, layout);
    ChunkIndex made =
        ChunkIndex.open(
            new ResidentSpace(), grid, ChunkIndexSpec.standard(kind), FileGeometry.UNDEFINED);
    for (int i = 0; i < CHUNKS; i++) {
      scaled[0] = i;
      made.put(scaled, new ChunkLocation(8L * i, 8, 0));
    }
    return made;
  }

  /**
   * Enters a million chunks in ascending order into an empty index.
   *
   * @return the index
   */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public ChunkIndex append() {
    return filled();
  }

  /**
   * Finds all chunks in index order.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public long findInOrder() {
    long sum = 0;
    for (int i = 0; i < CHUNKS; i++) {
      scaled[0] = i;
      sum += index.find(scaled).address();
    }
    return sum;
  }

  /**
   * Finds chunks at random.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  @OperationsPerInvocation(CHUNKS)
  public long findAtRandom() {
    long sum = 0;
    for (int i : random) {
      scaled[0] = i;
      sum += index.find(scaled).address();
    }
    return sum;
  }
}
