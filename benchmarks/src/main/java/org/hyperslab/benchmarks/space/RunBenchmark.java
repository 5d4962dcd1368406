package org.hyperslab.benchmarks.space;

import java.util.concurrent.TimeUnit;
import org.hyperslab.format.space.RunCursor;
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
 * Measures iteration over 33,554,432 runs; a figure divided by that number is the time of one run.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RunBenchmark {

  /** Created by JMH. */
  public RunBenchmark() {}

  private static final long RUNS = 1L << 25;

  /** The arrangement of the runs. */
  public enum Shape {
    /** Every second element of a line. */
    LINE,
    /** Every second element of 8,192 rows of 8,192. */
    ROWS,
    /** Every second element of 8,388,608 rows of eight. */
    SHORT_ROWS,
    /** Like ROWS, with an irregular corner, so that no dimension is one run. */
    IRREGULAR
  }

  /** The shape of the selection. */
  @Param public Shape shape;

  private Selection selection;
  private long[] extent;
  private final long[] offsets = new long[1024];
  private final long[] lengths = new long[1024];

  /** Makes the selection. */
  @Setup
  public void select() {
    long rowLength = shape == Shape.LINE ? 2 * RUNS : shape == Shape.SHORT_ROWS ? 8 : 8192;
    long rows = 2 * RUNS / rowLength;
    extent = new long[] {rows, rowLength};
    selection =
        Selection.hyperslab(
            new long[2], new long[] {1, 2}, new long[] {rows, rowLength / 2}, new long[] {1, 1});
    if (shape == Shape.IRREGULAR) {
      selection = selection.andNot(Selection.box(new long[2], new long[] {99, 99}));
    }
  }

  /**
   * Visits run by run.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  public long oneByOne() {
    RunCursor runs = selection.runs(extent);
    long sum = 0;
    while (runs.next()) {
      sum += runs.offset() ^ runs.length();
    }
    return sum;
  }

  /**
   * Visits a thousand runs at a time, as the C library's H5Ssel_iter_get_seq_list does.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  public long inBatches() {
    RunCursor runs = selection.runs(extent);
    long sum = 0;
    for (int n = runs.next(offsets, lengths); n > 0; n = runs.next(offsets, lengths)) {
      for (int i = 0; i < n; i++) {
        sum += offsets[i] ^ lengths[i];
      }
    }
    return sum;
  }

  /**
   * Visits runs paired with dense memory, in groups.
   *
   * @return a number that depends on all of them
   */
  @Benchmark
  public long pairedInGroups() {
    long elements = selection.elementCount(extent);
    RunPairs pairs = RunPairs.of(selection, extent, Selection.all(), new long[] {elements});
    long sum = 0;
    while (pairs.nextGroup()) {
      long file = pairs.fileOffset();
      long memory = pairs.memoryOffset();
      for (long k = 0; k < pairs.repeats(); k++) {
        sum += file ^ memory;
        file += pairs.fileStride();
        memory += pairs.memoryStride();
      }
    }
    return sum;
  }
}
