package org.hyperslab.plugins.configured;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.plugins.configured.Decision.Source;
import org.hyperslab.plugins.configured.document.Place;
import org.hyperslab.plugins.configured.rule.Setting;

/**
 * Decides the options of one object: the first setting of each option counts, and holds if the
 * program has not chosen or the setting's rule is forced.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Choices {

  private final String object;
  private final Set<String> decided = new HashSet<>();
  private final List<Decision> decisions = new ArrayList<>();

  Choices(String object) {
    this.object = object;
  }

  /** Applies the settings of one rule to a builder. */
  <O, B> void apply(List<Setting<O, B>> settings, boolean force, O program, B builder) {
    for (Setting<O, B> setting : settings) {
      boolean isChosen = setting.isChosen().test(program);
      if (holds(setting.key(), setting.value(), setting.place(), force, isChosen)) {
        setting.change().accept(builder);
      }
    }
  }

  /**
   * Decides one option by a setting of a file, and records it.
   *
   * @return whether the setting holds
   */
  boolean holds(String key, String value, Place place, boolean force, boolean isChosen) {
    if (!decided.add(key)) {
      return false;
    }
    if (isChosen && !force) {
      decisions.add(Decision.of(object, key, "as the program chose", Source.PROGRAM, place));
      return false;
    }
    decisions.add(Decision.of(object, key, value, isChosen ? Source.FORCED : Source.FILE, place));
    return true;
  }

  /** Records that an option does not apply to the object, and why. */
  void inapplicable(String key, String reason, Place place) {
    if (decided.add(key)) {
      decisions.add(Decision.of(object, key, reason, Source.OBJECT, place));
    }
  }

  String object() {
    return object;
  }

  List<Decision> decisions() {
    return decisions;
  }
}
