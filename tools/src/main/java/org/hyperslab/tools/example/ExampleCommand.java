package org.hyperslab.tools.example;

import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs an application kernel of parallel input/output; each is a subcommand. */
@Command(
    name = "example",
    description = {
      "runs a kernel of parallel input/output on MPI-IO: writes a file, reads it back, verifies",
      "every byte, and prints times and bandwidth. Ranks are threads, or under mpirun its"
          + " processes.",
      "(FLASH I/O is a command of its own: flash-io.)"
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
    return new CommandLine(new ExampleCommand())
        .addSubcommand(new TileIoCommand(out))
        .addSubcommand(new BtIoCommand(out))
        .addSubcommand(new HaccIoCommand(out))
        .addSubcommand(new IorCommand(out))
        .addSubcommand(new CollPerfCommand(out))
        .addSubcommand(new NoncontigCommand(out));
  }
}
