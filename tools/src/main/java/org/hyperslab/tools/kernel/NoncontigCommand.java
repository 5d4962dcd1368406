package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.Noncontig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs ROMIO's noncontig, vectors with gaps in file and memory. */
@Command(
    name = "noncontig",
    description = "ROMIO's noncontig: vectors with gaps in file, memory or both.",
    mixinStandardHelpOptions = true)
final class NoncontigCommand extends KernelCommand {

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "16384",
      description = "blocks of each rank (default: ${DEFAULT-VALUE})")
  private int blocks;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      defaultValue = "128",
      description = "bytes of a block (default: ${DEFAULT-VALUE})")
  private int blockBytes;

  @Option(names = "--memory-contiguous", description = "no gaps in memory")
  private boolean memoryContiguous;

  @Option(
      names = "--file-contiguous",
      description = "the blocks of each rank are contiguous in the file")
  private boolean fileContiguous;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  NoncontigCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return new Noncontig(blocks, blockBytes, !memoryContiguous, !fileContiguous);
  }
}
