package org.hyperslab.plugins.configured;

import java.util.Locale;
import java.util.Optional;
import org.hyperslab.plugins.configured.document.Place;

/**
 * How one option of one object was decided.
 *
 * <p>Thread rule: immutable.
 *
 * @param object the name of the file, or the path of the object in it
 * @param key the option, as it is spelled in configuration files
 * @param value the value that holds
 * @param source who decided
 * @param place where the configuration file gives a value, also if it does not hold: file, line and
 *     column, from 1; empty if it gives none
 */
public record Decision(
    String object, String key, String value, Source source, Optional<String> place) {

  /** Who decided an option. */
  public enum Source {
    /** The program, which has chosen something else than the default. */
    PROGRAM,
    /** The configuration file, because the program has not chosen. */
    FILE,
    /** The configuration file, against the program, because its rule says {@code force}. */
    FORCED,
    /** The object: the option does not apply to it. */
    OBJECT
  }

  static Decision of(String object, String key, String value, Source source, Place place) {
    return new Decision(object, key, value, source, Optional.of(place.toString()));
  }

  /** Returns one line: object, option, value, who decided and where. */
  @Override
  public String toString() {
    String who = source.name().toLowerCase(Locale.ROOT);
    return object
        + ": "
        + key
        + " = "
        + value
        + " ("
        + who
        + place.map(at -> ", " + at).orElse("")
        + ")";
  }
}
