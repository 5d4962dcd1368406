package org.hyperslab.benchmarks.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * Measures unions of many blocks, one {@code or} at a time and all at once. The figures are in
 * {@code benchmarks/RESULTS.md}, beside those of the C library for the same shapes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UnionBenchmark {

  /** Created by JMH. */
  public UnionBenchmark() {}

  /** The blocks to unite. */
  public enum Blocks {
    /** 32,768 ascending blocks of one to seven elements. */
    ASCENDING_1D(1, 32_768),
    /** 644,742 ascending single elements at random distances. */
    INDICES_1D(1, 644_742),
    /** 8,192 blocks of up to 10 by 10 in 10,000 by 10,000. */
    RANDOM_2D(2, 8_192),
    /** 4,096 blocks of up to 20 in each direction in 1,000 cubed. */
    RANDOM_3D(3, 4_096);

    private final int rank;
    private final int number;

    Blocks(int rank, int number) {
      this.rank = rank;
      this.number = number;
    }
  }

  /** The blocks to unite, as JMH sets them. */
  @Param public Blocks blocks;

  private List<Selection> operands;

  /** Makes the blocks. */
  @Setup
  public void makeBlocks() {
    Random random = new Random(7);
    operands = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < blocks.number; i++) {
      if (blocks.rank == 1) {
        long length = blocks == Blocks.INDICES_1D ? 1 : 1 + random.nextInt(7);
        operands.add(Selection.box(new long[] {next}, new long[] {length}));
        next += length + 1 + random.nextInt(20);
      } else {
        operands.add(randomBlock(random));
      }
    }
  }

  private Selection randomBlock(Random random) {
    int extent = blocks.rank == 2 ? 10_000 : 1_000;
    int most = blocks.rank == 2 ? 10 : 20;
    long[] start = new long[blocks.rank];
    long[] count = new long[blocks.rank];
    for (int d = 0; d < start.length; d++) {
      count[d] = 1L + random.nextInt(most);
      start[d] = random.nextInt((int) (extent - count[d]));
    }
    return Selection.box(start, count);
  }

  /**
   * Adds one block at a time and evaluates the result once.
   *
   * @return the number of selected elements
   */
  @Benchmark
  public long oneAtATime() {
    Selection union = Selection.none();
    for (Selection operand : operands) {
      union = union.or(operand);
    }
    return union.elementCount(null);
  }

  /**
   * Unites all blocks at once.
   *
   * @return the number of selected elements
   */
  @Benchmark
  public long allAtOnce() {
    return Selection.union(operands).elementCount(null);
  }
}
