package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.Ior;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** IOR's basic patterns. */
@Command(
    name = "ior",
    description = "IOR's basic patterns: segments of blocks, moved in transfers.",
    mixinStandardHelpOptions = true)
final class IorCommand extends KernelCommand {

  @Option(
      names = {"-s", "--segments"},
      paramLabel = "N",
      defaultValue = "1",
      description = "segments (default: ${DEFAULT-VALUE})")
  private int segments;

  @Option(
      names = {"-b", "--block"},
      paramLabel = "BYTES",
      defaultValue = "1048576",
      description = "bytes of each rank in a segment (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(
      names = {"-t", "--transfer"},
      paramLabel = "BYTES",
      defaultValue = "262144",
      description = "bytes moved by one call (default: ${DEFAULT-VALUE})")
  private long transferBytes;

  @Option(
      names = {"-z", "--random"},
      description = "transfers in random order")
  private boolean random;

  @Option(
      names = {"-C", "--reorder"},
      description = "each rank reads the data of the next rank")
  private boolean reorder;

  @Option(
      names = {"-F", "--file-per-rank"},
      description = "one file for each rank")
  private boolean filePerRank;

  @Option(
      names = "--hard",
      description = "io500's IOR-hard: -s transfers of 47,008 bytes, ranks in turn")
  private boolean hard;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  IorCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    return hard ? Ior.hard(segments) : new Ior(segments, blockBytes, transferBytes, random);
  }

  @Override
  int shift() {
    return reorder ? 1 : 0;
  }

  @Override
  boolean filePerRank() {
    return filePerRank;
  }
}
