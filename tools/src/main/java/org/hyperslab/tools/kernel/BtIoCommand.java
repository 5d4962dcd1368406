package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.BtIo;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs NAS BT-IO, a cube that is distributed diagonally. */
@Command(
    name = "bt-io",
    description =
        "NAS BT-IO: a cube distributed diagonally, with ghost points; the number of ranks is a square.",
    mixinStandardHelpOptions = true)
final class BtIoCommand extends KernelCommand {

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "48",
      description = "points along an edge of the cube (default: ${DEFAULT-VALUE})")
  private int points;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "5",
      description = "how many times the solution is written (default: ${DEFAULT-VALUE})")
  private int steps;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  BtIoCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return new BtIo(points, steps);
  }
}
