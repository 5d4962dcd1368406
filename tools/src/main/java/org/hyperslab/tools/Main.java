package org.hyperslab.tools;

import org.hyperslab.error.HyperslabException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code hyperslab} command. Exit codes: 0 done, 1 failed or different, 2 wrong use. */
@Command(
    name = "hyperslab",
    description = "HDF5 files in pure Java.",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    subcommands = {
      DumpCommand.class,
      LsCommand.class,
      DiffCommand.class,
      VerifyCommand.class,
      RepackCommand.class,
      FlashIoCommand.class,
      TrainCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main {

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs one command; its exit code. */
  static int run(String... arguments) {
    CommandLine line = new CommandLine(new Main());
    line.setExecutionExceptionHandler(Main::report);
    line.setExpandAtFiles(false);
    if (arguments.length == 0) {
      line.usage(System.out);
      return CommandLine.ExitCode.USAGE;
    }
    return line.execute(arguments);
  }

  private static int report(Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
    boolean expected = failure instanceof HyperslabException;
    System.err.println(
        line.getCommandSpec().qualifiedName()
            + ": "
            + (expected ? failure.getMessage() : failure.toString()));
    if (!expected || System.getenv("HYPERSLAB_STACKTRACE") != null) {
      failure.printStackTrace();
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
