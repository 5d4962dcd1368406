package org.hyperslab.tools.plot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An axis of a picture, along which elements are at equal distances.
 *
 * @param title its name and unit; may be empty
 * @param cells the number of elements, at least 1
 * @param first the coordinate of the first element
 * @param last the coordinate of the last element
 * @param isIndex whether coordinates are indices of elements
 */
record PlotAxis(String title, long cells, double first, double last, boolean isIndex) {

  private static final Pattern RANGE =
      Pattern.compile("\\s*(-?\\d{1,18})?\\s*:\\s*(-?\\d*)\\s*(?::\\s*(-?\\d{1,18})?\\s*)?");

  /**
   * {@return an axis of the indices of elements}
   *
   * @param title its name; may be empty
   * @param count the number of elements
   */
  static PlotAxis ofIndices(String title, long count) {
    return new PlotAxis(title, count, 0, count - 1.0, true);
  }

  /**
   * {@return an axis of the indices of a part of a dimension}
   *
   * @param title its name; may be empty
   * @param count the number of elements of the part
   * @param part the part, as in NumPy: {@code START:STOP:STEP}, each of which may be missing
   * @param length the number of elements of the dimension
   */
  static PlotAxis ofPart(String title, long count, String part, long length) {
    Matcher words = RANGE.matcher(part);
    if (!words.matches()) {
      return ofIndices(title, count);
    }
    long step = isMissing(words.group(3)) ? 1 : Long.parseLong(words.group(3));
    long first = step < 0 ? length - 1 : 0;
    if (!isMissing(words.group(1))) {
      long given = Long.parseLong(words.group(1));
      first = Math.clamp(given < 0 ? given + length : given, 0, Math.max(0, length - 1));
    }
    return new PlotAxis(title, count, first, first + (count - 1.0) * step, true);
  }

  private static boolean isMissing(String number) {
    return number == null || number.isEmpty();
  }
}
