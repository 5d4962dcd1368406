package org.hyperslab.web.files;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** Selects the soft and external links that are shown as their targets. */
public enum LinkResolution {
  /** No links: all are shown as links. */
  NONE,
  /** The links whose targets exist. */
  ONLY_VALID,
  /** All links; one whose target does not exist is an error. */
  ALL;

  /** {@return what a word of a request says of links} */
  public static LinkResolution of(String word) {
    for (LinkResolution each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw new InvalidUseException(
        "resolve_links: actual=" + word + ", expected=none, only_valid or all");
  }
}
