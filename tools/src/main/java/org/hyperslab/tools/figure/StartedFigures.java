package org.hyperslab.tools.figure;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.simulation.SimulatedJob;
import org.hyperslab.tools.figure.Figure.Claim;
import org.hyperslab.tools.figure.Figure.Series;
import org.hyperslab.tools.simulated.KernelTimes;

/**
 * Started collective writes (Venkatesan: Optimizing Non-blocking Collective and Parallel I/O
 * Operations, thesis, Houston 2013, chapter 4): dynamic segmentation on crill over Ethernet, 32
 * aggregators, cycles of 4 MB.
 */
final class StartedFigures {

  private static final long MIB = 1 << 20;
  private static final int AGGREGATORS = 32;

  /** A cycle of 4 MiB: the staging buffer is a quarter of the hint's memory. */
  private static final String HINTS =
      "hyperslab_collective=dynamic cb_nodes=" + AGGREGATORS + " cb_buffer_size=" + 16 * MIB;

  private StartedFigures() {}

  private static KernelTimes crill(int ranks) {
    Machine machine = MachineDescription.ready("crill-ethernet");
    return new KernelTimes(RankMap.byNode(machine, ranks, machine.nodes()), Hints.parse(HINTS));
  }

  private static IoKernel kernel(int shrink) {
    return IoKernel.latency(1, 1000 * MIB / shrink);
  }

  /**
   * Returns the time of a request and what precedes it. In the thesis a cycle has one request; here
   * it has one for each window.
   */
  private static double cycleSeconds(SimulatedJob.Result alone) {
    return alone.seconds() / Math.max(1, alone.requests() / AGGREGATORS);
  }

  /** Table 4.1: a blocking write against one that is started and awaited at once. */
  static Figure table41(int shrink) {
    IoKernel kernel = kernel(shrink);
    List<Double> blocking = new ArrayList<>();
    List<Double> started = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    double[] papers = {703, 574};
    for (int ranks : new int[] {64, 128}) {
      KernelTimes times = crill(ranks);
      double megabytes = times.bytes(kernel) / (double) MIB;
      double alone = times.write(kernel).seconds();
      double both = times.writeStarted(kernel, new SimulatedJob.Computation(0, 1, 0)).seconds();
      blocking.add(megabytes / alone);
      started.add(megabytes / both);
      claims.add(
          Claim.between(
              "94 to 100% of the blocking write, " + ranks + " processes",
              "started over blocking, %",
              94,
              100 * alone / both,
              100.5));
      double paper = papers[ranks / 64 - 1];
      claims.add(
          Claim.between(
              Figure.number(paper) + " MB/s blocking, " + ranks + " processes",
              "MiB/s",
              0.85 * paper,
              megabytes / alone,
              1.15 * paper));
    }
    return new Figure(
        "Latency-IO on crill over Ethernet, " + 1000 / shrink + " MiB a process",
        "processes",
        List.of("64", "128"),
        "MiB/s",
        List.of(
            new Series("blocking", blocking),
            new Series("started", started),
            new Series("paper, blocking", List.of(703.0, 574.0)),
            new Series("paper, started", List.of(660.0, 577.0))),
        claims);
  }

  /** Table 4.2: computation as long as the write, tested once a cycle. */
  static Figure table42(int shrink) {
    IoKernel kernel = kernel(shrink);
    List<Double> alone = new ArrayList<>();
    List<Double> overall = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (int ranks : new int[] {64, 128}) {
      KernelTimes times = crill(ranks);
      SimulatedJob.Result written = times.write(kernel);
      double io = written.seconds();
      double cycle = cycleSeconds(written);
      double both =
          times.writeStarted(kernel, new SimulatedJob.Computation(io, cycle, 0)).seconds();
      alone.add(io);
      overall.add(both);
      claims.add(
          Claim.between(
              "overall within 0.3% of the longer of both, " + ranks + " processes",
              "overall over the longer",
              1,
              both / io,
              1.003));
    }
    return new Figure(
        "Latency-IO beside a computation of equal length, tested once a cycle",
        "processes",
        List.of("64", "128"),
        "s",
        List.of(
            new Series("I/O only", alone),
            new Series("compute", alone),
            new Series("overall", overall),
            new Series("paper, I/O only", List.of(85.69, 205.39)),
            new Series("paper, overall", List.of(85.80, 205.91))),
        claims);
  }

  /** The interval between tests, in cycles: the best is one cycle. */
  static Figure interval(int shrink) {
    IoKernel kernel = kernel(shrink);
    KernelTimes times = crill(64);
    SimulatedJob.Result written = times.write(kernel);
    double io = written.seconds();
    double cycle = cycleSeconds(written);
    List<String> points = new ArrayList<>();
    List<Double> overall = new ArrayList<>();
    for (int power = -6; power <= 6; power += 2) {
      double test = cycle * Math.pow(2, power);
      points.add(Figure.number(Math.pow(2, power)));
      overall.add(
          times
              .writeStarted(kernel, new SimulatedJob.Computation(io, test, cycle / 1000))
              .seconds());
    }
    Series series = new Series("overall", overall);
    double best = overall.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    return new Figure(
        "overall time by the interval between tests, 64 processes; a test takes a thousandth of a"
            + " cycle",
        "interval in cycles",
        points,
        "s",
        List.of(series),
        List.of(
            Claim.between(
                "an interval of one cycle is best",
                "time at one cycle over the best",
                1,
                overall.get(3) / best,
                1.02),
            Claim.between(
                "less often there is no progress",
                "time at 64 cycles over the best",
                1.1,
                series.last() / best,
                2)));
  }
}
