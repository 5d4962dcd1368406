package org.hyperslab.tools;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Runs {@code dump}, {@code diff} and {@code convert} without picocli where its parser has nothing
 * to do: {@code dump} parses its options itself, the others are often called with nothing but the
 * names of files. Reading a command's annotations takes a fifth of the processor time of such a
 * command on small files, and half of the time until {@code convert} opens its first file.
 *
 * <p>Thread rule: no state.
 */
final class PlainCommand {

  private static final int MAX_WORDS_OF_DIFF = 4;

  private PlainCommand() {}

  /**
   * Runs a command if its words need no parser.
   *
   * @param streams receive its output
   * @param arguments the name of the command, and its options and parameters
   * @return its exit code; empty if nothing was done
   */
  static OptionalInt run(Streams streams, String... arguments) {
    if (arguments.length < 2) {
      return OptionalInt.empty();
    }
    List<String> words = Arrays.asList(arguments).subList(1, arguments.length);
    Callable<Integer> command = command(streams, arguments[0], words);
    return command == null
        ? OptionalInt.empty()
        : OptionalInt.of(exitCode(command, "hyperslab " + arguments[0], streams));
  }

  private static Callable<Integer> command(Streams streams, String name, List<String> words) {
    if (name.equals("dump") && words.stream().noneMatch(PlainCommand::isOptionOfDump)) {
      return DumpCommand.plain(streams, words);
    }
    if (name.equals("convert") && words.size() == 2 && areNames(words)) {
      return ConvertCommand.plain(streams, words.get(0), words.get(1));
    }
    return name.equals("diff") && areNames(words) ? DiffCommand.plain(streams, words) : null;
  }

  /**
   * Returns whether picocli takes a word as an option of {@code dump}, or may do so. Of a word like
   * {@code -hA} it takes the first letter.
   */
  private static boolean isOptionOfDump(String word) {
    return Stream.of("-h", "-V", "--help", "--version", "--connector", "--property")
        .anyMatch(word::startsWith);
  }

  private static boolean areNames(List<String> words) {
    return words.size() >= 2
        && words.size() <= MAX_WORDS_OF_DIFF
        && words.stream().noneMatch(word -> word.startsWith("-"));
  }

  private static int exitCode(Callable<Integer> command, String name, Streams streams) {
    try {
      return command.call();
    } catch (Exception failure) {
      PrintWriter err = new PrintWriter(streams.err(), true, streams.err().charset());
      return Main.report(failure, name, err);
    }
  }
}
