package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.KernelRun;
import org.hyperslab.examples.ranks.Ranks;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.hint.Hints;
import picocli.CommandLine.Option;

/**
 * The options that all kernel commands share: ranks, folder, hints, and the printed table.
 *
 * <p>Thread rule: not thread-safe; a command runs once.
 */
public abstract class KernelCommand implements Callable<Integer> {

  private final PrintStream out;

  private KernelUse use = KernelCommand::runAndPrint;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "number of ranks as threads (default: 4); under mpirun, the number it started")
  private Integer ranks;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "example-out",
      description = "folder for the file, created if missing (default: ${DEFAULT-VALUE})")
  private Path folder;

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      defaultValue = "mpiio",
      description =
          "mpiio, or \"mpiio key=value …\" with hints such as cb_nodes=2 (default:"
              + " ${DEFAULT-VALUE})")
  private String connector;

  @Option(names = "--vendor", description = "uses the MPI library's own MPI-IO; only under mpirun")
  private boolean vendor;

  @Option(names = "--independent", description = "independent instead of collective accesses")
  private boolean independent;

  @Option(
      names = {"--nonblocking", "--started"},
      description = "start all accesses of a view before waiting for the first")
  private boolean started;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "number of runs, of which the last counts: the first also loads and compiles code")
  private int repeat;

  @Option(names = "--explain", description = "prints which components were used and why")
  private boolean explain;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  KernelCommand(PrintStream out) {
    this.out = out;
  }

  /** {@return the kernel that the options describe} */
  public abstract IoKernel kernel();

  /** Returns the distance to the higher rank whose data each rank reads; 0 for its own. */
  int shift() {
    return 0;
  }

  /** Returns whether each rank has its own file. */
  boolean filePerRank() {
    return false;
  }

  /** {@return the hints that the options state} */
  public final Hints hints() {
    return hints(connector, vendor);
  }

  /** {@return the number of ranks that is asked for; 0 for the default} */
  public final int ranks() {
    return asked(ranks);
  }

  /** {@return whether the accesses are independent instead of collective} */
  public final boolean isIndependent() {
    return independent;
  }

  /** {@return whether this library makes the accesses, to one file of all ranks} */
  public final boolean isOwnAccessToOneFile() {
    return !vendor && !filePerRank();
  }

  /**
   * Returns the hints of a configuration.
   *
   * @param connector {@code mpiio} and hints, or hints
   * @param vendor whether the MPI library's own MPI-IO is wanted
   */
  static Hints hints(String connector, boolean vendor) {
    String text = connector.strip();
    if (text.startsWith("mpiio")) {
      text = text.substring("mpiio".length());
    }
    Hints hints = Hints.ofEnvironment().with(Hints.pairs(text));
    return vendor ? hints.with("io", "vendor") : hints;
  }

  /**
   * Replaces the run of the kernel by something else.
   *
   * @param wanted what the command does
   * @return this command
   */
  public final KernelCommand usedBy(KernelUse wanted) {
    this.use = wanted;
    return this;
  }

  @Override
  public Integer call() {
    use.use(this);
    return 0;
  }

  private void runAndPrint() {
    KernelRun.Settings settings = settings(hints());
    Ranks.run(ranks(), world -> runRank(world, settings));
  }

  /**
   * Runs the kernel once. All ranks call this.
   *
   * @param world the ranks
   * @param hints the hints of the run, instead of those of the options
   * @return the times, which are the same on all ranks
   */
  public final KernelRun.Result run(Communicator world, Hints hints) {
    return new KernelRun(world, kernel(), settings(hints)).run();
  }

  /**
   * Returns the value of the option {@code --ranks} as {@link Ranks#count} takes it.
   *
   * @param ranks the number given; null if the option is not
   * @throws InvalidUseException if the number is not positive
   */
  static int asked(Integer ranks) {
    if (ranks != null && ranks <= 0) {
      throw new InvalidUseException("--ranks: actual=" + ranks + ", expected=1 or more");
    }
    return ranks == null ? 0 : ranks;
  }

  private KernelRun.Settings settings(Hints hints) {
    return new KernelRun.Settings(folder, hints, !independent, shift(), filePerRank(), started);
  }

  private void runRank(Communicator world, KernelRun.Settings settings) {
    IoKernel kernel = kernel();
    KernelRun run = new KernelRun(world, kernel, settings);
    KernelRun.Result result = run.run();
    for (int again = 1; again < repeat; again++) {
      result = run.run();
    }
    if (world.rank() == 0) {
      out.printf(
          "%s on %d ranks (%s): %s%n",
          kernel.name(),
          world.size(),
          Ranks.describe(world),
          kernel.describe(filePerRank() ? 1 : world.size()));
      out.printf(
          Locale.ROOT,
          "%,d bytes: written in %.3f s (%.0f MB/s), read in %.3f s (%.0f MB/s)%n",
          result.bytes(),
          result.writeSeconds(),
          result.bytes() / 1e6 / result.writeSeconds(),
          result.readSeconds(),
          result.bytes() / 1e6 / result.readSeconds());
      out.printf(
          Locale.ROOT,
          "%,d%s %s each way: %.1f us a write, %.1f us a read, with opening and closing%n",
          result.calls(),
          started ? " started" : "",
          result.calls() == 1 ? "access" : "accesses",
          1e6 * result.writeSeconds() / result.calls(),
          1e6 * result.readSeconds() / result.calls());
      if (explain) {
        out.println(result.explanation());
      }
      out.println("every byte is as written");
    }
  }
}
