package org.hyperslab.tools.stage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A file of options: lines {@code name = value} with the long names of a command's options without
 * the dashes; lines that begin with {@code #} are comments. What the command line says goes first.
 *
 * <p>Thread rule: confined to one thread.
 */
final class OptionsFile {

  /** The largest file, in bytes. */
  static final int MOST_BYTES = 64 << 10;

  private final Path file;
  private final CommandLine line;
  private final Set<String> excluded;

  /** The options, by name. */
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** An option: the word of a command line that sets it, and the number of its line. */
  private record Entry(String word, int line) {}

  private OptionsFile(Path file, CommandLine line, Set<String> excluded) {
    this.file = file;
    this.line = line;
    this.excluded = excluded;
  }

  /**
   * Sets the options of a command that its command line has not set.
   *
   * @param file the file
   * @param line the command, parsed
   * @param another another command of the same kind, which this method changes
   * @param excluded the options that a file cannot have, with their dashes
   * @throws IOException if the file cannot be read
   * @throws InvalidUseException if it is too long, or a line is none of an option
   */
  static void apply(Path file, CommandLine line, Object another, Set<String> excluded)
      throws IOException {
    OptionsFile options = new OptionsFile(file, line, excluded);
    int number = 0;
    for (String text : read(file).lines().toList()) {
      number++;
      String entry = text.strip();
      if (!entry.isEmpty() && !entry.startsWith("#")) {
        options.add(entry, number);
      }
    }
    options.set(new CommandLine(another));
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new InvalidUseException(
            "options: actual=more than "
                + MOST_BYTES
                + " bytes, expected=lines NAME = VALUE, at="
                + file);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private void add(String entry, int number) {
    int equals = entry.indexOf('=');
    String name = "--" + (equals < 0 ? entry : entry.substring(0, equals)).strip();
    OptionSpec option = line.getCommandSpec().findOption(name);
    String word = equals < 0 ? name : name + "=" + entry.substring(equals + 1).strip();
    boolean known = option != null && !excluded.contains(option.longestName());
    if (!known) {
      throw wrong(
          "actual=" + plain(name) + ", expected=an option of the command" + near(name), number);
    }
    if (entries.put(option.longestName(), new Entry(word, number)) != null) {
      throw wrong("actual=" + plain(name) + " again, expected=each option once", number);
    }
  }

  /** Returns a name as it stands in the file. No message has a value, which may be a secret. */
  private static String plain(String name) {
    return name.substring(2);
  }

  private String near(String name) {
    String meant =
        new UnmatchedArgumentException(line, List.of(name))
            .getSuggestions().stream()
                .filter(each -> each.startsWith("--") && !excluded.contains(each))
                .map(OptionsFile::plain)
                .collect(Collectors.joining(" or "));
    return meant.isEmpty() ? "" : "; did you mean " + meant + "?";
  }

  private InvalidUseException wrong(String what, int number) {
    return new InvalidUseException("options: " + what + ", at=" + file + " line " + number);
  }

  /** Parses an option alone, so that its line is known if its value is wrong. */
  private void requireValue(CommandLine parsed, Entry entry) {
    try {
      parsed.parseArgs(entry.word);
    } catch (ParameterException wrong) {
      throw new InvalidUseException(
          "options: actual="
              + wrong.getMessage()
              + ", expected=a value of the option, at="
              + file
              + " line "
              + entry.line,
          wrong);
    }
  }

  private void set(CommandLine parsed) {
    try {
      for (Entry each : entries.values()) {
        requireValue(parsed, each);
      }
      parsed.parseArgs(entries.values().stream().map(Entry::word).toArray(String[]::new));
      for (String name : entries.keySet()) {
        if (!line.getParseResult().hasMatchedOption(name)) {
          Object value = parsed.getCommandSpec().findOption(name).getValue();
          line.getCommandSpec().findOption(name).setValue(value);
        }
      }
    } catch (RuntimeException | Error other) {
      throw other;
    } catch (Exception checked) {
      throw new InvalidUseException("options: " + checked.getMessage() + ", at=" + file, checked);
    }
  }
}
