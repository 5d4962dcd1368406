package org.hyperslab.tools;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports a command line that cannot be parsed: what is wrong, the synopsis, and how to get the
 * whole help, which would hide the message.
 */
final class WrongUse {

  /** How picocli says that a text is no number. */
  private static final Pattern NO_NUMBER = Pattern.compile("is not an? (int|long|double)\\b");

  private WrongUse() {}

  /**
   * Prints a report.
   *
   * @param failure what the parser found
   * @param words the words of the command line
   * @return the exit code
   */
  static int report(ParameterException failure, String[] words) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + message(failure));
    UnmatchedArgumentException.printSuggestions(failure, err);
    err.print("Usage: " + command.getHelp().synopsis("Usage: ".length()));
    err.println("'" + name + " --help' describes " + (isGroup(command) ? "all." : "the options."));
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static boolean isGroup(CommandLine command) {
    return !command.getSubcommands().isEmpty();
  }

  private static String message(ParameterException failure) {
    List<String> unknown = failure.getCommandLine().getUnmatchedArguments();
    if (isGroup(failure.getCommandLine()) && unknown.stream().noneMatch(w -> w.startsWith("-"))) {
      String actual = unknown.isEmpty() ? "no name" : "'" + unknown.getFirst() + "'";
      Set<String> names = failure.getCommandLine().getSubcommands().keySet();
      return "actual=" + actual + ", expected=one of " + String.join(", ", names);
    }
    if (failure instanceof MissingParameterException && !unknown.isEmpty()) {
      // More likely the mistake than what is missing because of it.
      return "Unknown option: '" + unknown.getFirst() + "'";
    }
    return NO_NUMBER
        .matcher(failure.getMessage())
        .replaceAll(type ->
            type.group(1).equals("double") ? "is not a number" : "is not a whole number in range");
  }
}
