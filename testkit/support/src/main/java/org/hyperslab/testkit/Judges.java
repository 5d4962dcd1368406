package org.hyperslab.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The table of judges, {@code judges.tsv} beside this class. {@code ./check} installs what the
 * table lists, so a test may use only judges in the table.
 *
 * <p>Thread rule: immutable.
 */
final class Judges {

  private static final Set<String> NAMES = names();

  private Judges() {}

  /**
   * Checks that a judge is in the table, whether or not it is installed here.
   *
   * @throws AssertionError if it is not
   */
  static void requireListed(String name) {
    if (!NAMES.contains(name)) {
      throw new AssertionError(
          "a test uses the judge '%s', which is not in judges.tsv: add it there, with its packages"
              .formatted(name));
    }
  }

  /**
   * Returns the Python modules of a judge.
   *
   * @param name the judge
   * @return the modules, separated by commas
   * @throws AssertionError if the table does not list it as Python's
   */
  static String pythonModules(String name) {
    String start = name + "\tpython ";
    return lines().stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length(), line.lastIndexOf('\t')))
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(
                "a test uses the Python judge '%s', which is not in judges.tsv".formatted(name)));
  }

  private static Set<String> names() {
    return lines().stream()
        .map(line -> line.substring(0, line.indexOf('\t')))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<String> lines() {
    try (InputStream table = Judges.class.getResourceAsStream("judges.tsv")) {
      String text = new String(table.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
