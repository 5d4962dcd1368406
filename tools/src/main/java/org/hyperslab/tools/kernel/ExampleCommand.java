package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.guide.GuideExample;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs an example program or a kernel of parallel I/O. Each is a subcommand. */
@Command(
    name = "example",
    header = "runs a short example program, or a benchmark of parallel I/O",
    description = {
      "Runs a short example program from examples/, or a benchmark of parallel I/O.",
      "The example programs show how to use the API; they write small files into a folder.",
      "The benchmarks (tile-io and below) write a file with MPI-IO, read it back, verify every"
          + " byte, and print times and bandwidth. Ranks are threads, or under mpirun its"
          + " processes."
    },
    mixinStandardHelpOptions = true)
public final class ExampleCommand {

  private ExampleCommand() {}

  /**
   * Creates the command line of this command, with its subcommands.
   *
   * @param out where results go
   * @return the command line
   */
  public static CommandLine line(PrintStream out) {
    CommandLine line = new CommandLine(new ExampleCommand());
    for (GuideExample example : GuideExample.all()) {
      line.addSubcommand(GuideCommand.line(example, out));
    }
    KernelCommands.all(out).forEach(line::addSubcommand);
    line.addSubcommand(new GaborCommand(out));
    return line;
  }
}
