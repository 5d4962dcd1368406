package org.hyperslab.tools.command;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports a command line that cannot be parsed: what is wrong, the synopsis, and how to get the
 * whole help, which would hide the message.
 */
public final class WrongUse {

  /** How picocli says that a text is no number. */
  private static final Pattern NO_NUMBER = Pattern.compile("is not an? (int|long|double)\\b");

  /** The greatest number of near names that are suggested. */
  private static final int MOST_NEAR = 3;

  private WrongUse() {}

  /**
   * Prints a report.
   *
   * @param failure what the parser found
   * @param words the words of the command line
   * @return the exit code
   */
  public static int report(ParameterException failure, String[] words) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + message(failure));
    if (unknownOptions(failure).isEmpty()) {
      UnmatchedArgumentException.printSuggestions(failure, err);
    }
    err.print("Usage: " + command.getHelp().synopsis("Usage: ".length()));
    err.println("'" + name + " --help' describes " + (isGroup(command) ? "all." : "the options."));
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static boolean isGroup(CommandLine command) {
    return !command.getSubcommands().isEmpty();
  }

  /** Returns the words without meaning that look like options, not the values behind them. */
  private static List<String> unknownOptions(ParameterException failure) {
    boolean isOfWords =
        failure instanceof MissingParameterException
            || failure instanceof UnmatchedArgumentException;
    return isOfWords
        ? failure.getCommandLine().getUnmatchedArguments().stream()
            .filter(word -> word.length() > 1 && word.startsWith("-"))
            .toList()
        : List.of();
  }

  /** Returns the options whose names are near to one, or begin with it, after a semicolon. */
  private static String near(String given, CommandLine command) {
    String name = given.replaceFirst("=.*", "");
    int most = Math.max(1, name.length() / 3);
    List<String> near =
        command.getCommandSpec().options().stream()
            .filter(option -> !option.hidden())
            .flatMap(option -> Arrays.stream(option.names()))
            .filter(each -> each.startsWith("--") && name.startsWith("--"))
            .filter(each -> each.startsWith(name) || distance(each, name) <= most)
            .sorted(Comparator.comparingInt(each -> distance(each, name)))
            .toList();
    String meant =
        near.stream()
            .filter(each -> distance(each, name) <= distance(near.getFirst(), name) + 1)
            .limit(MOST_NEAR)
            .collect(Collectors.joining(" or "));
    return meant.isEmpty() ? "" : "; did you mean " + meant + "?";
  }

  /** Returns the least number of characters to insert, delete, replace or swap with the next. */
  private static int distance(String a, String b) {
    int[][] least = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int replaced = least[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        least[i][j] = Math.min(replaced, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        boolean isSwapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (isSwapped) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[a.length()][b.length()];
  }

  private static String message(ParameterException failure) {
    List<String> unknown = failure.getCommandLine().getUnmatchedArguments();
    if (isGroup(failure.getCommandLine()) && unknown.stream().noneMatch(w -> w.startsWith("-"))) {
      String actual = unknown.isEmpty() ? "no name" : "'" + unknown.getFirst() + "'";
      Set<String> names = failure.getCommandLine().getSubcommands().keySet();
      return "actual=" + actual + ", expected=one of " + String.join(", ", names);
    }
    List<String> options = unknownOptions(failure);
    if (!options.isEmpty()) {
      // More likely the mistake than what is missing, or too much, because of it.
      String name = options.getFirst();
      return "Unknown option: '" + name + "'" + near(name, failure.getCommandLine());
    }
    return NO_NUMBER
        .matcher(failure.getMessage())
        .replaceAll(type ->
            type.group(1).equals("double") ? "is not a number" : "is not a whole number in range");
  }
}
