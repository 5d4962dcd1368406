package org.hyperslab.tools;

import java.io.PrintWriter;
import java.util.Arrays;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.tools.command.StandardOutput;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine;

/**
 * The {@code hyperslab} command. Exit codes: 0 success, 1 failure or difference, 2 wrong use.
 *
 * <p>Thread rule: {@link #run} may be called by several threads at a time.
 */
public final class Main {

  private static final String NO_DELIMITER = "\0";

  private Main() {}

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param arguments the name of the command, and its options and parameters
   */
  public static void main(String[] arguments) {
    if (arguments.length > 1) {
      FileStore.linkAhead();
    }
    leaveFilesOnInterrupt();
    System.exit(runAndFlush(Streams.ofProcess(), arguments));
  }

  /** Does not complete the files of a command that is interrupted, whose output is deleted. */
  private static void leaveFilesOnInterrupt() {
    String seconds = "hyperslab.exitSeconds";
    if (System.getProperty(seconds) == null) {
      System.setProperty(seconds, "0");
    }
  }

  /**
   * Runs one command, and reports if its output could not be written.
   *
   * @param streams receive its output
   * @param arguments the name of the command, and its options and parameters
   * @return its exit code
   */
  public static int runAndFlush(Streams streams, String... arguments) {
    try {
      int code = run(streams, arguments);
      streams.out().flush();
      return code;
    } catch (StandardOutput.Failure failure) {
      String command = arguments.length == 0 ? "" : " " + arguments[0];
      PrintWriter err = new PrintWriter(streams.err(), true, streams.err().charset());
      return failure.report("hyperslab" + command, err);
    }
  }

  /**
   * Runs one command.
   *
   * @param streams receive its output
   * @param given the name of the command, and its options and parameters; names may be spelled as
   *     commands print them
   * @return its exit code
   */
  public static int run(Streams streams, String... given) {
    String[] arguments = helpAsOption(given);
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = NameBytes.ofSpelling(arguments[i]);
    }
    CommandLine line = Commands.line(streams, arguments);
    if (arguments.length == 0) {
      line.usage(streams.out());
      return CommandLine.ExitCode.USAGE;
    }
    String first = arguments[0];
    if (!first.startsWith("-") && !line.getSubcommands().containsKey(first)) {
      streams.err().println(Commands.noSuchCommand(first, line));
      return CommandLine.ExitCode.USAGE;
    }
    if (isHelpOf(given)) {
      CommandLine last = line.getSubcommands().get(first);
      for (int i = 2; i < given.length && !given[i].startsWith("-"); i++) {
        CommandLine next = last.getSubcommands().get(given[i]);
        if (next == null) {
          streams.err().println(Commands.noSuchCommand(given[i], last));
          return CommandLine.ExitCode.USAGE;
        }
        last = next;
      }
    }
    return line.execute(arguments);
  }

  private static boolean isHelpOf(String... given) {
    return given.length > 1
        && given[0].equals("help")
        && !given[1].startsWith("-")
        && !given[1].equals("help");
  }

  /**
   * Returns {@code COMMAND … --help} for {@code help COMMAND …}, a copy of other words: picocli's
   * command takes the name of a subcommand for that of a command, and any name.
   */
  private static String[] helpAsOption(String... given) {
    if (!isHelpOf(given)) {
      return given.clone();
    }
    String[] words = Arrays.copyOfRange(given, 1, given.length + 1);
    words[words.length - 1] = "--help";
    return words;
  }
}
