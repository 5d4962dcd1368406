package org.hyperslab.tools.example;

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
    mixinStandardHelpOptions = true,
    subcommands = {
      TileIoCommand.class,
      BtIoCommand.class,
      HaccIoCommand.class,
      IorCommand.class,
      CollPerfCommand.class,
      NoncontigCommand.class
    })
public final class ExampleCommand {

  /** For picocli. */
  public ExampleCommand() {}
}
