package org.hyperslab.tools.machine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.simulation.SimulatedJob;
import org.hyperslab.simulation.SimulatedNetwork;
import org.hyperslab.simulation.UnstatedCosts;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.figure.Figure;
import org.hyperslab.tools.figure.FigurePicture;
import org.hyperslab.tools.figure.Figures;
import org.hyperslab.tools.kernel.KernelCommand;
import org.hyperslab.tools.kernel.KernelCommands;
import org.hyperslab.tools.kernel.KernelUse;
import org.hyperslab.tools.simulated.KernelTimes;
import org.hyperslab.tools.simulated.Subfiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes the times of a kernel's accesses on a machine that need not exist. */
@Command(
    name = "simulate",
    header = "computes the time of a kernel's collective I/O on another machine",
    description = {
      "Plans the collective accesses of a benchmark of hyperslab example for thousands of ranks, "
          + "and executes the plans in virtual time: no data is moved. Use it to compare hints and "
          + "placements for a machine before a job runs there. Of the kernel's options, those that "
          + "describe its data, --ranks, --connector (hints) and --independent have an effect."
    },
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements KernelUse, Callable<Integer> {

  private static final int DEFAULT_RANKS = 4;
  static final int MAX_RANKS = 1 << 17;
  private static final int SHOWN_STEPS = 4;
  private static final double LEAST_SHARE = 0.005;

  private final PrintStream out;

  @Mixin private MachineOption machine;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "assigns the ranks to this many nodes in turn (default: fills node after node)")
  private Integer nodes;

  @Option(
      names = "--placement",
      paramLabel = "FILE",
      description = "puts the ranks where this file says, which has what hyperslab place prints")
  private Path placement;

  @Option(
      names = "--request",
      paramLabel = "MICROSECONDS",
      defaultValue = "500",
      description =
          "time for which a request occupies a server without its bytes, if the machine does not"
              + " state it (default: ${DEFAULT-VALUE})")
  private long requestMicros;

  @Option(
      names = "--server",
      paramLabel = "MB/S",
      defaultValue = "1000",
      description =
          "bandwidth of a storage server, if the machine does not state it"
              + " (default: ${DEFAULT-VALUE})")
  private double serverMegabytes;

  @Option(
      names = "--network",
      paramLabel = "MODEL",
      defaultValue = "flows",
      description =
          "flows: messages share the links of their routes fairly; loggp: they occupy the injection"
              + " and ejection of nodes only (default: ${DEFAULT-VALUE})")
  private String network;

  @Option(
      names = "--goal",
      paramLabel = "FILE",
      description =
          "writes the schedules of the first collective write as GOAL, LogGOPSim's text format;"
              + " use it with --network loggp")
  private Path goal;

  @Option(
      names = "--declared",
      description =
          "declares all writes in advance, so that aggregators collect them over all calls; no read"
              + " follows")
  private boolean declared;

  @Option(
      names = "--subfiles",
      paramLabel = "WHICH",
      defaultValue = "none",
      description =
          "ranks that share a file: all (none), those of an I/O node (pset), or of a node (node)"
              + " (default: ${DEFAULT-VALUE})")
  private String subfiles;

  @Option(
      names = "--compute",
      paramLabel = "SECONDS",
      description =
          "starts each write, computes for this long, then waits for the write; no read follows")
  private Double computeSeconds;

  @Option(
      names = "--test",
      paramLabel = "SECONDS",
      defaultValue = "0.001",
      description =
          "time of computation between two tests of a started write (default: ${DEFAULT-VALUE})")
  private double testSeconds;

  @Option(
      names = "--test-cost",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "time of a test (default: ${DEFAULT-VALUE})")
  private double testCostSeconds;

  @Option(
      names = "--figure",
      paramLabel = "NAME",
      description =
          "computes a figure or table of a paper again, without a kernel; an unknown name lists"
              + " them")
  private String figure;

  @Option(
      names = "--shrink",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "divides the nodes, or the bytes, of a figure, to see it sooner (default:"
              + " ${DEFAULT-VALUE})")
  private int shrink;

  @Option(names = "--plot", paramLabel = "FILE", description = "draws a figure as a PNG picture")
  private Path plot;

  private SimulateCommand(PrintStream out) {
    this.out = out;
  }

  /**
   * Creates the command line of this command, with the kernels as subcommands.
   *
   * @param out where results go
   * @return the command line
   */
  public static CommandLine line(PrintStream out) {
    SimulateCommand simulate = new SimulateCommand(out);
    CommandLine line = new CommandLine(simulate);
    KernelCommands.addTo(line, out, simulate);
    return line;
  }

  /** Computes a figure, which needs no kernel. */
  @Override
  public Integer call() {
    if (figure == null) {
      throw new InvalidUseException(
          "simulate: actual=neither a kernel nor --figure, expected=one of them");
    }
    Figure found = Figures.of(figure, shrink);
    found.lines().forEach(out::println);
    if (plot != null) {
      FigurePicture.write(found, plot);
    }
    return 0;
  }

  @Override
  public void use(KernelCommand kernel) {
    if (figure != null || plot != null) {
      throw new InvalidUseException(
          "simulate: actual=a kernel and --figure or --plot, expected=a figure without a kernel");
    }
    if (!kernel.isOwnAccessToOneFile()) {
      throw new InvalidUseException(
          "simulate: actual=--vendor or a file for each rank, expected=this library's collective"
              + " accesses to one file");
    }
    Hints hints = kernel.hints();
    simulate(
        kernel.kernel(),
        kernel.ranks(),
        kernel.isIndependent() ? hints.with("hyperslab_collective", "individual") : hints);
  }

  /**
   * Simulates a kernel and prints the times.
   *
   * @param kernel the kernel
   * @param asked the number of ranks; 0 for the default
   * @param hints the hints for its accesses
   */
  void simulate(IoKernel kernel, int asked, Hints hints) {
    int count = asked == 0 ? DEFAULT_RANKS : asked;
    if (count > MAX_RANKS) {
      throw new InvalidUseException(
          "--ranks: actual=" + count + ", expected=at most " + MAX_RANKS + " simulated ranks");
    }
    Machine found = machine.find();
    RankMap ranks = ranks(found, count);
    UnstatedCosts costs =
        new UnstatedCosts(
            Math.multiplyExact(requestMicros, 1000L),
            1e6 * serverMegabytes,
            UnstatedCosts.DEFAULT.copyBytesPerSecond());
    KernelTimes times =
        new KernelTimes(
            ranks, hints, costs, SimulatedNetwork.parse(network), Subfiles.parse(subfiles));
    out.println(found.describe());
    out.printf("%s on %d simulated ranks: %s%n", kernel.name(), count, kernel.describe(count));
    long bytes = times.bytes(kernel);
    if (declared && computeSeconds != null) {
      throw new InvalidUseException(
          "simulate: actual=--declared and --compute, expected=one of them");
    }
    if (declared) {
      print("declared writes", bytes, times.writeDeclared(kernel));
      return;
    }
    if (computeSeconds != null) {
      SimulatedJob.Computation computation =
          new SimulatedJob.Computation(computeSeconds, testSeconds, testCostSeconds);
      print("started writes", bytes, times.writeStarted(kernel, computation));
      return;
    }
    SimulatedJob.Result written = times.write(kernel);
    if (goal != null) {
      writeGoal(times.job(), KernelTimes.calls(kernel, times.job().ranks().size()).getFirst());
    }
    print("write", bytes, written);
    print("read", bytes, times.read(kernel));
  }

  private RankMap ranks(Machine found, int count) {
    if (placement != null && nodes != null) {
      throw new InvalidUseException(
          "simulate: actual=--nodes and --placement, expected=one of them");
    }
    if (placement != null) {
      return PlacedRanks.read(placement, found, count);
    }
    return nodes == null ? RankMap.bySlot(found, count) : RankMap.byNode(found, count, nodes);
  }

  private void writeGoal(SimulatedJob job, IntFunction<SimulatedJob.Access> first) {
    try {
      OutputFile.writeLong(goal, text -> job.toGoal(true, first, text));
    } catch (IOException failure) {
      throw new StorageException("--goal: actual=" + failure + ", at=" + goal, failure);
    }
  }

  private void print(String direction, long bytes, SimulatedJob.Result result) {
    out.printf(
        Locale.ROOT,
        "%s: %.6f s (%,.0f MB/s), %,d requests of %,d bytes, %,d messages of %,d bytes; %s%n",
        direction,
        result.seconds(),
        bytes / 1e6 / result.seconds(),
        result.requests(),
        result.fileBytes(),
        result.messages(),
        result.messageBytes(),
        shares(result.stepSeconds()));
  }

  /** Returns the kinds of steps that take the most time, with their shares. */
  private static String shares(Map<String, Double> steps) {
    double total = steps.values().stream().mapToDouble(Double::doubleValue).sum();
    return steps.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN_STEPS)
        .filter(step -> step.getValue() >= LEAST_SHARE * total)
        .map(step -> "%s %.0f%%".formatted(step.getKey(), 100 * step.getValue() / total))
        .collect(Collectors.joining(", ", "time of the ranks: ", ""));
  }
}
