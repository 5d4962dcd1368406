package org.hyperslab.tools;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the manual page of a command. */
@Command(
    name = "man",
    header = "prints the manual page of a command",
    description = {
      "Prints the manual page of a command, or of hyperslab itself, in the language of man pages"
          + " (roff). To read one: hyperslab man ls | man -l -",
      "Exit codes: 0 success, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class ManCommand implements Callable<Integer> {

  private final Streams streams;
  private final Supplier<CommandLine> whole;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      completionCandidates = Names.class,
      description = "the command, and a command below it, such as: attr set")
  private List<String> names = List.of();

  /** The names of commands, for the completion of words by a shell. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Commands.names();
    }
  }

  /**
   * Creates the command.
   *
   * @param streams where pages and errors go
   * @param whole creates the command line with all commands
   */
  ManCommand(Streams streams, Supplier<CommandLine> whole) {
    this.streams = streams;
    this.whole = whole;
  }

  @Override
  public Integer call() {
    CommandLine line = whole.get();
    for (String name : names) {
      CommandLine next = line.getSubcommands().get(name);
      if (next == null) {
        streams.err().println(Commands.noSuchCommand(name, line));
        return CommandLine.ExitCode.USAGE;
      }
      line = next;
    }
    streams.out().print(ManPage.of(line));
    return 0;
  }
}
