package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls in which every rank moves one block. */
@Command(
    name = "latency-io",
    description = "Latency-IO: calls in which every rank moves one block.",
    mixinStandardHelpOptions = true)
final class LatencyIoCommand extends KernelCommand {

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "1000",
      description = "calls (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "bytes of each rank in a call (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  LatencyIoCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return IoKernel.latency(calls, blockBytes);
  }
}
