package org.hyperslab.tools.machine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.examples.ffbench.FfRatio;
import org.hyperslab.examples.kernels.KernelRun;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.simulation.HintSearch;
import org.hyperslab.simulation.SimulatedJob;
import org.hyperslab.simulation.UnstatedCosts;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.kernel.KernelCommand;
import org.hyperslab.tools.kernel.KernelCommands;
import org.hyperslab.tools.kernel.KernelUse;
import org.hyperslab.tools.simulated.KernelTimes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Finds hints for a kernel by measured runs, as the Open Tool for Parameter Optimization does: a
 * grid of components, aggregators and buffer sizes, tried round by round.
 */
@Command(
    name = "tune",
    header = "finds the best hints of MPI-IO for a kernel, by measured runs or simulated ones",
    description = {
      "Runs a benchmark of hyperslab example with every combination of collective algorithm, "
          + "number of aggregators and buffer size. Repeats the runs in rounds, and drops "
          + "combinations that are clearly worse. Writes the hints of the best combination to a "
          + "file for HYPERSLAB_HINTS, or the default hints if none is significantly better.",
      "With --machine nothing is run: a model compares the combinations for the described machine, "
          + "and the best are simulated, for any number of ranks."
    },
    mixinStandardHelpOptions = true)
public final class TuneCommand implements KernelUse {

  private static final int DEFAULT_RANKS = 4;

  private final PrintStream out;

  @Option(
      names = "--hints",
      paramLabel = "FILE",
      defaultValue = "hyperslab.hints",
      description = "file to write the hints to (default: ${DEFAULT-VALUE})")
  private Path file;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "maximum runs of each combination, after a warm-up run (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(
      names = "--measure",
      paramLabel = "WHAT",
      defaultValue = "both",
      description = "what to measure: write, read or both (default: ${DEFAULT-VALUE})")
  private String measure;

  @Option(
      names = "--collective",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "two-phase,dynamic,static,individual",
      description = "collective algorithms to try (default: ${DEFAULT-VALUE})")
  private List<String> algorithms;

  @Option(
      names = "--aggregators",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4,8",
      description =
          "numbers of aggregators to try, each limited to the number of ranks "
              + "(default: ${DEFAULT-VALUE})")
  private List<Integer> aggregators;

  @Option(
      names = "--buffers",
      split = ",",
      paramLabel = "BYTES",
      defaultValue = "1048576,4194304,16777216,33554432",
      description = "sizes of the collective buffer to try (default: ${DEFAULT-VALUE})")
  private List<Long> buffers;

  @Option(
      names = {"-m", "--machine"},
      paramLabel = "NAME",
      description = "searches in virtual time on this machine, as simulate does, without any run")
  private String machine;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "with --machine: assigns the ranks to this many nodes in turn (default: fills node after"
              + " node)")
  private Integer nodes;

  private TuneCommand(PrintStream out) {
    this.out = out;
  }

  /**
   * Creates the command line of this command, with the kernels as subcommands.
   *
   * @param out where results go
   * @return the command line
   */
  public static CommandLine line(PrintStream out) {
    TuneCommand tune = new TuneCommand(out);
    CommandLine line = new CommandLine(tune);
    KernelCommands.addTo(line, out, tune);
    return line;
  }

  @Override
  public void use(KernelCommand kernel) {
    if (machine != null) {
      simulate(kernel);
      return;
    }
    if (nodes != null) {
      throw new InvalidUseException(
          "tune: actual=--nodes without --machine, expected=both, or mpirun's own placement");
    }
    Ranks.run(
        kernel.ranks(), world -> explore(world, hints -> kernel.run(world, hints), kernel.hints()));
  }

  /** Searches in virtual time. */
  private void simulate(KernelCommand kernel) {
    if (!kernel.isOwnAccessToOneFile() || kernel.isIndependent()) {
      throw new InvalidUseException(
          "tune: actual=--vendor, --independent or a file for each rank, expected=this library's"
              + " collective accesses to one file");
    }
    Machine found = MachineDescription.find(machine);
    int count = kernel.ranks() == 0 ? DEFAULT_RANKS : kernel.ranks();
    if (count > SimulateCommand.MAX_RANKS) {
      throw new InvalidUseException(
          "--ranks: actual="
              + count
              + ", expected=at most "
              + SimulateCommand.MAX_RANKS
              + " simulated ranks");
    }
    RankMap ranks =
        nodes == null ? RankMap.bySlot(found, count) : RankMap.byNode(found, count, nodes);
    SimulatedJob job = new SimulatedJob(ranks, kernel.hints(), UnstatedCosts.DEFAULT);
    List<IntFunction<SimulatedJob.Access>> calls = KernelTimes.calls(kernel.kernel(), count);
    // All calls of a kernel are alike; the one in the middle stands for them.
    IntFunction<SimulatedJob.Access> call = calls.get(calls.size() / 2);
    HintSearch.Found best = HintSearch.of(job, !measure.equals("read"), call);
    out.println(found.describe());
    out.printf(
        Locale.ROOT,
        "%s on %d simulated ranks, %s of one call: %d combinations modelled, %d simulated%n",
        kernel.kernel().name(),
        count,
        measure.equals("read") ? "read" : "write",
        best.modelled(),
        best.simulated().size());
    best.simulated().entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(each ->
            out.printf(
                Locale.ROOT,
                "%12.6f s  %.2f  %s%s%n",
                each.getValue(),
                each.getValue() / best.seconds(),
                text(each.getKey()),
                each.getKey().equals(best.hints()) ? "  best" : ""));
    write(best.hints(), "nothing simulated is better than the defaults");
  }

  /** Returns the combinations; the first is the defaults. */
  private List<Map<String, String>> grid(int ranks) {
    Set<Map<String, String>> all = new LinkedHashSet<>();
    all.add(Map.of());
    for (String algorithm : algorithms) {
      if (algorithm.equals("individual")) {
        all.add(Map.of("hyperslab_collective", algorithm));
        continue;
      }
      for (int count : aggregators) {
        for (long bytes : buffers) {
          Map<String, String> hints = new LinkedHashMap<>();
          hints.put("hyperslab_collective", algorithm);
          hints.put("cb_nodes", Integer.toString(Math.min(count, ranks)));
          hints.put("cb_buffer_size", Long.toString(bytes));
          all.add(hints);
        }
      }
    }
    return List.copyOf(all);
  }

  /**
   * Tries all combinations. Every rank calls this and draws the same conclusions, because the times
   * of a run are the same on every rank.
   *
   * @param world the ranks
   * @param run runs the kernel with hints
   * @param base the hints that the combinations change
   */
  void explore(Communicator world, Function<Hints, KernelRun.Result> run, Hints base) {
    if (rounds < 1 || !Set.of("write", "read", "both").contains(measure)) {
      throw new InvalidUseException(
          "tune: actual=--rounds "
              + rounds
              + " --measure "
              + measure
              + ", expected=at least one round, and write, read or both");
    }
    List<Map<String, String>> grid = grid(world.size());
    HintTrials trials = new HintTrials(grid.size());
    seconds(run.apply(base)); // the first run loads and compiles code, and is not counted
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < grid.size(); i++) {
        // Each round begins with another combination, so that none always follows the same one.
        int setting = (i + round) % grid.size();
        if (trials.isTried(setting)) {
          trials.add(setting, seconds(run.apply(base.with(grid.get(setting)))));
        }
      }
      trials.endRound();
    }
    if (world.rank() == 0) {
      report(grid, trials);
    }
  }

  private double seconds(KernelRun.Result result) {
    return switch (measure) {
      case "write" -> result.writeSeconds();
      case "read" -> result.readSeconds();
      default -> result.writeSeconds() + result.readSeconds();
    };
  }

  private void report(List<Map<String, String>> grid, HintTrials trials) {
    int best = trials.best();
    List<Integer> winners = trials.winners();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < grid.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> Double.compare(trials.median(a), trials.median(b)));
    for (int setting : order) {
      FfRatio ratio = trials.ratio(setting, best);
      String verdict =
          setting == best ? "best" : winners.contains(setting) ? "not significantly worse" : "";
      out.printf(
          Locale.ROOT,
          "%9.4f s  %.2f [%.2f, %.2f]  %s  %s%n",
          trials.median(setting),
          ratio.median(),
          ratio.low(),
          ratio.high(),
          text(grid.get(setting)),
          verdict);
    }
    // The defaults are kept unless another setting is significantly better.
    int chosen = winners.contains(0) ? 0 : best;
    write(grid.get(chosen), "nothing is significantly better than the defaults");
  }

  private void write(Map<String, String> chosen, String none) {
    StringBuilder lines = new StringBuilder("# written by hyperslab tune\n");
    chosen.forEach((key, value) -> lines.append(key + "=" + value + "\n"));
    try {
      OutputFile.writeText(file, lines);
    } catch (IOException e) {
      throw new StorageException("hints file: actual=" + e + ", at=" + file, e);
    }
    out.println(
        chosen.isEmpty()
            ? none + "; " + file + " changes nothing"
            : "hints in " + file + "; HYPERSLAB_HINTS=" + file + " uses them");
  }

  private static String text(Map<String, String> hints) {
    return hints.isEmpty() ? "defaults" : hints.toString().replaceAll("[{},]", "");
  }
}
