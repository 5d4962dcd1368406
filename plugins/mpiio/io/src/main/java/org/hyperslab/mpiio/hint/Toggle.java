package org.hyperslab.mpiio.hint;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** A hint that asks for a technique, forbids it, or leaves the choice to the library. */
public enum Toggle {
  /** The library decides by its rules. */
  AUTOMATIC,
  /** Always. */
  ENABLE,
  /** Never. */
  DISABLE;

  /**
   * {@return the word as info values have it: {@code automatic}, {@code enable}, {@code disable}}
   */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the toggle of a word; {@code true} and {@code false} are taken too, as OMPIO does. */
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
