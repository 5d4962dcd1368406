package org.hyperslab.plugins.nativevol.storage;

import java.util.Map;
import org.hyperslab.error.InvalidUseException;

/**
 * The rule for the extent of an unlimited virtual dataset whose sources end at different indices or
 * are missing.
 *
 * <p>Two properties of an opened file set it: {@code virtual.view} is {@code last-available} (the
 * default: as far as any source) or {@code first-missing} (as far as all sources); {@code
 * virtual.gap} is the number of consecutive numbered sources that may be missing (default 0).
 *
 * <p>Reference: {@code H5Pset_virtual_view}, {@code H5Pset_virtual_printf_gap}.
 *
 * @param firstMissing whether the extent ends where the first source ends
 * @param gap the number of consecutive numbered sources that may be missing; ignored with {@code
 *     firstMissing}
 */
public record VirtualView(boolean firstMissing, long gap) {

  static final String VIEW = "virtual.view";
  static final String GAP = "virtual.gap";
  private static final long LARGEST_GAP = 1 << 20;

  /**
   * Returns the rule that a file's properties set.
   *
   * @throws InvalidUseException if a value is invalid
   */
  static VirtualView of(Map<String, String> properties) {
    String view = properties.getOrDefault(VIEW, "last-available");
    boolean firstMissing =
        switch (view) {
          case "last-available" -> false;
          case "first-missing" -> true;
          default ->
              throw new InvalidUseException(
                  VIEW + ": actual=" + view + ", expected=last-available or first-missing");
        };
    String gap = properties.getOrDefault(GAP, "0");
    try {
      long number = Long.parseLong(gap);
      if (number >= 0 && number <= LARGEST_GAP) {
        return new VirtualView(firstMissing, firstMissing ? 0 : number);
      }
    } catch (NumberFormatException malformed) {
      throw new InvalidUseException(GAP + ": actual=" + gap + ", expected=a number", malformed);
    }
    throw new InvalidUseException(
        GAP + ": actual=" + gap + ", expected=a number from 0 to " + LARGEST_GAP);
  }
}
