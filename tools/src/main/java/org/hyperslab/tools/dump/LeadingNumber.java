package org.hyperslab.tools.dump;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses numbers of a command line as C's {@code atoi} does: other text is zero. */
final class LeadingNumber {

  private static final Pattern START = Pattern.compile("\\s*([-+]?)(\\d{1,18})");

  private LeadingNumber() {}

  /**
   * Parses the number at the beginning of a text.
   *
   * @return the number, limited to the range of an int; 0 if there is none
   */
  static int of(String text) {
    Matcher matcher = START.matcher(text);
    if (!matcher.lookingAt()) {
      return 0;
    }
    long number = Long.parseLong(matcher.group(2));
    return (int) Math.min(Integer.MAX_VALUE, matcher.group(1).equals("-") ? -number : number);
  }

  /**
   * Parses decimal digits without a sign.
   *
   * @return the number; the largest long if it is larger
   */
  static long unsigned(String digits) {
    return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
