package org.hyperslab.mpiio.hint;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** A hint that requests a technique, forbids it, or leaves the choice to the library. */
public enum Toggle {
  /** The library decides by its rules. */
  AUTOMATIC,
  /** The technique is used wherever it is possible. */
  ENABLE,
  /** The technique is never used. */
  DISABLE;

  /** {@return the info value: {@code automatic}, {@code enable} or {@code disable}} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses an info value; also accepts {@code true} and {@code false}, as OMPIO does. */
  static Toggle parse(String key, String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "automatic" -> AUTOMATIC;
      case "enable", "true" -> ENABLE;
      case "disable", "false" -> DISABLE;
      default ->
          throw new InvalidUseException(
              "hint: actual=" + key + "=" + word + ", expected=automatic, enable or disable");
    };
  }
}
