package org.hyperslab.tools;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.hyperslab.tools.command.Streams;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script by which a shell completes command lines. */
@Command(
    name = "completion",
    header = "prints the script by which bash and zsh complete command lines",
    description = {
      "Prints a script for bash and zsh that completes the names of commands and options, and"
          + " those values of options of which there is a list. Other words are completed as names"
          + " of files. For this shell: source <(hyperslab completion)",
      "Exit codes: 0 success, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

  /** The shells that understand the script. */
  enum Shell {
    bash,
    zsh
  }

  private final Streams streams;
  private final Supplier<CommandLine> whole;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      description = "${COMPLETION-CANDIDATES}; the script is the same for both")
  private Shell shell;

  /**
   * Creates the command.
   *
   * @param streams where the script goes
   * @param whole creates the command line with all commands
   */
  CompletionCommand(Streams streams, Supplier<CommandLine> whole) {
    this.streams = streams;
    this.whole = whole;
  }

  @Override
  public Integer call() {
    streams.out().println(AutoComplete.bash("hyperslab", whole.get()));
    return 0;
  }
}
