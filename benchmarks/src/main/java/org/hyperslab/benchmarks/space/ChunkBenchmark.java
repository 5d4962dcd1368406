package org.hyperslab.benchmarks.space;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.format.space.ChunkIterator;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the division of selections of a 4,096 by 4,096 dataset into chunks of 64 by 64, paired
 * with memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChunkBenchmark {

  /** Created by JMH. */
  public ChunkBenchmark() {}

  private static final long SIDE = 4096;

  /** The shape of the selection. */
  public enum Shape {
    /** All elements of the dataset. */
    ALL,
    /** One row of the dataset. */
    ROW,
    /** Every second element in both dimensions. */
    STRIDED,
    /** 1,000 random blocks of up to 100 by 100. */
    BLOCKS,
    /** 100,000 random points, in no order. */
    POINTS
  }

  /** The shape of the selection. */
  @Param public Shape shape;

  private Selection selection;
  private final long[] extent = {SIDE, SIDE};
  private final long[] chunk = {64, 64};

  /** Makes the selection. */
  @Setup
  public void select() {
    Random random = new Random(7);
    selection =
        switch (shape) {
          case ALL -> Selection.all();
          case ROW -> Selection.box(new long[] {77, 0}, new long[] {1, SIDE});
          case STRIDED ->
              Selection.hyperslab(
                  new long[2],
                  new long[] {2, 2},
                  new long[] {SIDE / 2, SIDE / 2},
                  new long[] {1, 1});
          case BLOCKS -> blocks(random);
          case POINTS -> Selection.points(2, random.longs(200_000, 0, SIDE).toArray());
        };
  }

  private static Selection blocks(Random random) {
    Selection union = Selection.none();
    for (int i = 0; i < 1000; i++) {
      long[] count = {1 + random.nextInt(100), 1 + random.nextInt(100)};
      long[] start = {random.nextInt(3900), random.nextInt(3900)};
      union = union.or(Selection.box(start, count));
    }
    return union;
  }

  /**
   * Visits every piece and every group of pairs.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  public long pairedByChunk() {
    long sum = 0;
    long[] memoryExtent = {selection.elementCount(extent)};
    ChunkIterator chunks = selection.chunks(extent, chunk);
    while (chunks.hasNext()) {
      RunPairs pairs = chunks.next().pairs(Selection.all(), memoryExtent);
      while (pairs.nextGroup()) {
        sum += pairs.fileOffset() ^ pairs.memoryOffset() ^ pairs.repeats();
      }
    }
    return sum;
  }
}
