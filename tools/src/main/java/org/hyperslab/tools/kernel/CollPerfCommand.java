package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.kernels.CollPerf;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs ROMIO's coll_perf, a three-dimensional array in blocks. */
@Command(
    name = "coll-perf",
    description = "ROMIO's coll_perf: a three-dimensional array in blocks over a grid of ranks.",
    mixinStandardHelpOptions = true)
final class CollPerfCommand extends KernelCommand {

  @Option(
      names = "--size",
      paramLabel = "Z,Y,X",
      split = ",",
      defaultValue = "128,128,128",
      description = "doubles of the array (default: ${DEFAULT-VALUE})")
  private int[] size;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  CollPerfCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    if (size.length != 3) {
      throw new InvalidUseException("--size: actual=" + size.length + " numbers, expected=3");
    }
    return new CollPerf(size[0], size[1], size[2]);
  }
}
