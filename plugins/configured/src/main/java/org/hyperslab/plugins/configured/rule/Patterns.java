package org.hyperslab.plugins.configured.rule;

import java.util.List;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;

/** Reads the patterns of a rule, under the key {@code match}. */
final class Patterns {

  private static final String KEY = "match";

  private Patterns() {}

  static List<PathPattern> files(Section section) {
    return required(
        section, Scalars.texts(section.require(KEY)).stream().map(PathPattern::ofFiles).toList());
  }

  static List<PathPattern> objects(Section section) {
    return required(
        section, Scalars.texts(section.require(KEY)).stream().map(PathPattern::ofObjects).toList());
  }

  private static List<PathPattern> required(Section section, List<PathPattern> patterns) {
    if (patterns.isEmpty()) {
      throw section.placeOf(KEY).problem("match has no pattern; the rule matches nothing");
    }
    return patterns;
  }

  static boolean anyMatches(List<PathPattern> patterns, String path) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(path));
  }
}
