package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.HaccIo;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs HACC-IO, which writes particles. */
@Command(
    name = "hacc-io",
    description = "HACC-IO: particles, as an array of structures or a structure of arrays.",
    mixinStandardHelpOptions = true)
final class HaccIoCommand extends KernelCommand {

  @Option(
      names = "--particles",
      paramLabel = "N",
      defaultValue = "100000",
      description = "particles of each rank (default: ${DEFAULT-VALUE})")
  private long particles;

  @Option(names = "--soa", description = "structure of arrays instead of array of structures")
  private boolean arrays;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  HaccIoCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return new HaccIo(particles, arrays);
  }
}
