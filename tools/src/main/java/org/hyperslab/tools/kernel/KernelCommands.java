package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** The kernels of parallel I/O as commands. */
public final class KernelCommands {

  private KernelCommands() {}

  /**
   * Adds the commands of all kernels below a command.
   *
   * @param line the command
   * @param out receives the results of a run
   * @param use what the commands do with their kernels
   */
  public static void addTo(CommandLine line, PrintStream out, KernelUse use) {
    all(out).forEach(kernel -> line.addSubcommand(kernel.usedBy(use)));
  }

  /**
   * {@return the commands of all kernels, which run them}
   *
   * @param out receives the results
   */
  static List<KernelCommand> all(PrintStream out) {
    return List.of(
        new TileIoCommand(out),
        new BtIoCommand(out),
        new HaccIoCommand(out),
        new IorCommand(out),
        new CollPerfCommand(out),
        new PiobenchCommand(out),
        new NoncontigCommand(out),
        new LatticeCommand(out),
        new S3dIoCommand(out),
        new LatencyIoCommand(out));
  }
}
