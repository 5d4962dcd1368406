package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The access patterns of PIOBENCH. */
@Command(
    name = "piobench",
    description = "PIOBENCH's patterns: an array, each dimension distributed in its own way.",
    mixinStandardHelpOptions = true)
final class PiobenchCommand extends KernelCommand {

  @Option(
      names = "--size",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "128,128,128",
      description = "doubles of the array in each dimension (default: ${DEFAULT-VALUE})")
  private int[] size;

  @Option(
      names = "--distribution",
      paramLabel = "D,…",
      split = ",",
      defaultValue = "balanced",
      description =
          "one for each dimension, or one for all: none, block, cyclic[:K], balanced (as ARC3D),"
              + " random[:K], with blocks of K elements (1) (default: ${DEFAULT-VALUE})")
  private String[] distribution;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  PiobenchCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    List<Integer> sizes = Arrays.stream(size).boxed().toList();
    List<DimensionDistribution> all =
        Arrays.stream(distribution).map(PiobenchCommand::distribution).toList();
    return IoKernel.piobench(
        sizes, all.size() == 1 ? Collections.nCopies(sizes.size(), all.getFirst()) : all);
  }

  private static DimensionDistribution distribution(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String block = colon < 0 ? "1" : text.substring(colon + 1);
    boolean sound =
        block.matches("[1-9][0-9]{0,8}")
            && (colon < 0 || name.equals("cyclic") || name.equals("random"));
    return switch (sound ? name : "") {
      case "none" -> DimensionDistribution.none();
      case "block" -> DimensionDistribution.block();
      case "cyclic" -> DimensionDistribution.cyclic(Long.parseLong(block));
      case "balanced" -> DimensionDistribution.balanced();
      case "random" -> DimensionDistribution.random(Long.parseLong(block));
      default ->
          throw new InvalidUseException(
              "--distribution: actual="
                  + text
                  + ", expected=none, block, cyclic[:K], balanced or random[:K]");
    };
  }
}
