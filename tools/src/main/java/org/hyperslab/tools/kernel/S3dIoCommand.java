package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** S3D I/O: a checkpoint of four arrays over a cube, divided into blocks among the ranks. */
@Command(
    name = "s3d-io",
    description =
        "S3D I/O: a checkpoint of four arrays over a cube, divided into blocks among the ranks.",
    mixinStandardHelpOptions = true)
final class S3dIoCommand extends KernelCommand {

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "64",
      description = "points along an edge of the cube (default: ${DEFAULT-VALUE})")
  private int points;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  S3dIoCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return IoKernel.s3d(points);
  }
}
