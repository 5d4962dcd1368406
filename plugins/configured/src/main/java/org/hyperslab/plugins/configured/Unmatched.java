package org.hyperslab.plugins.configured;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hyperslab.plugins.configured.rule.DatasetRule;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.plugins.configured.rule.GroupRule;
import org.hyperslab.plugins.configured.rule.PathPattern;

/**
 * Finds the patterns of rules that match nothing in given files, which are often mistakes.
 *
 * <p>Thread rule: no state.
 */
final class Unmatched {

  private Unmatched() {}

  /**
   * Returns a line for each pattern that matches no file, or no object of the files for which its
   * rule holds.
   *
   * @param objects for each file, by its full name, the paths of its objects
   */
  static List<String> lines(
      List<FileRule> rules, Map<String, ? extends Collection<String>> objects) {
    List<String> lines = new ArrayList<>();
    for (FileRule rule : rules) {
      add(lines, rule.names(), objects.keySet(), "file");
      List<String> paths =
          objects.keySet().stream()
              .filter(rule::holdsFor)
              .flatMap(file -> objects.get(file).stream())
              .toList();
      if (objects.keySet().stream().anyMatch(rule::holdsFor)) {
        add(lines, patterns(rule), paths, "object");
      }
    }
    return lines;
  }

  private static List<PathPattern> patterns(FileRule rule) {
    return Stream.concat(
            rule.groups().stream().map(GroupRule::paths),
            rule.datasets().stream().map(DatasetRule::paths))
        .flatMap(List::stream)
        .toList();
  }

  private static void add(
      List<String> lines, List<PathPattern> patterns, Collection<String> paths, String kind) {
    for (PathPattern pattern : patterns) {
      if (paths.stream().noneMatch(pattern::matches)) {
        lines.add(pattern.place() + ": the pattern " + pattern + " matches no " + kind);
      }
    }
  }
}
