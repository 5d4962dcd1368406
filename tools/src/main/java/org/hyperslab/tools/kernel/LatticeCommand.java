package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A lattice of four dimensions, divided into blocks among the ranks. */
@Command(
    name = "lattice",
    description = "A lattice of four dimensions, divided into blocks among the ranks.",
    mixinStandardHelpOptions = true)
final class LatticeCommand extends KernelCommand {

  @Option(
      names = "--edge",
      paramLabel = "N",
      defaultValue = "32",
      description = "sites along each edge (default: ${DEFAULT-VALUE})")
  private int edge;

  @Option(
      names = "--site",
      paramLabel = "BYTES",
      defaultValue = "72",
      description = "bytes of a site (default: ${DEFAULT-VALUE})")
  private int siteBytes;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  LatticeCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return IoKernel.lattice(edge, siteBytes);
  }
}
