package org.hyperslab.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * A file of options: lines {@code name = value} with the long names of a command's options without
 * the dashes, {@code #} before comments. What the command line says goes first.
 *
 * <p>Thread rule: confined to one thread.
 */
final class OptionsFile {

  private OptionsFile() {}

  /**
   * Sets the options of a command that its command line has not set.
   *
   * @param file the file
   * @param line the command, parsed
   * @param another another command of the same kind, which this method changes
   * @throws IOException if the file cannot be read
   * @throws InvalidUseException if a line is none of an option
   */
  static void apply(Path file, CommandLine line, Object another) throws IOException {
    List<String> words = new ArrayList<>();
    Map<String, OptionSpec> named = new LinkedHashMap<>();
    int number = 0;
    for (String text : Files.readAllLines(file)) {
      number++;
      String entry = text.strip();
      if (entry.isEmpty() || entry.startsWith("#")) {
        continue;
      }
      int equals = entry.indexOf('=');
      String name = "--" + (equals < 0 ? entry : entry.substring(0, equals)).strip();
      OptionSpec option = line.getCommandSpec().findOption(name);
      if (option == null || named.put(name, option) != null) {
        throw new InvalidUseException(
            "options: actual="
                + entry
                + ", expected=NAME = VALUE with the name of an option, once, at="
                + file
                + " line "
                + number);
      }
      words.add(equals < 0 ? name : name + "=" + entry.substring(equals + 1).strip());
    }
    CommandLine parsed = new CommandLine(another);
    try {
      parsed.parseArgs(words.toArray(String[]::new));
      for (Map.Entry<String, OptionSpec> each : named.entrySet()) {
        if (!line.getParseResult().hasMatchedOption(each.getKey())) {
          each.getValue().setValue(parsed.getCommandSpec().findOption(each.getKey()).getValue());
        }
      }
    } catch (ParameterException wrong) {
      throw new InvalidUseException(
          "options: actual=" + wrong.getMessage() + ", expected=values of options, at=" + file,
          wrong);
    }
  }
}
