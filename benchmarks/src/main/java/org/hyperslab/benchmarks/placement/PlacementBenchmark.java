package org.hyperslab.benchmarks.placement;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.mapping.ApplicationMatrix;
import org.hyperslab.machine.mapping.ArchitectureMatrix;
import org.hyperslab.machine.mapping.PlacementMethod;
import org.hyperslab.machine.mapping.ProcessPlacement;
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

/** Measures the placement of 256 ranks, whose views were recorded, on 8 nodes of 32 processors. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlacementBenchmark {

  private static final int RANKS = 256;

  /** The placement method. */
  @Param({"SETMATCH", "SETMATCHG", "MPIPPG", "TREEMATCH"})
  public PlacementMethod method;

  private ApplicationMatrix application;
  private ArchitectureMatrix architecture;

  /** Created by JMH. */
  public PlacementBenchmark() {}

  /** Makes both matrices. */
  @Setup
  public void make() {
    int[] order = new Random(5).ints(20_000, 0, RANKS).toArray();
    application = ApplicationMatrix.ofOrder(RANKS, order);
    architecture = ArchitectureMatrix.ofNodes(MachineDescription.ready("crill"), 8, 32);
  }

  /**
   * Places the ranks.
   *
   * @return the placement
   */
  @Benchmark
  public ProcessPlacement place() {
    return method.place(application, architecture);
  }
}
