package org.hyperslab.web;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** Which soft and external links are shown as what they lead to. */
enum LinkResolution {
  /** None: all are shown as links. */
  NONE,
  /** Those that lead to something. */
  ONLY_VALID,
  /** All; one that leads nowhere is an error. */
  ALL;

  static LinkResolution of(String word) {
    for (LinkResolution each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw new InvalidUseException(
        "resolve_links: actual=" + word + ", expected=none, only_valid or all");
  }
}
