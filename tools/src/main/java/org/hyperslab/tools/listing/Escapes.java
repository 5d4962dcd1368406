package org.hyperslab.tools.listing;

import java.nio.charset.StandardCharsets;

/**
 * Escapes unusual characters in names as C does, so that a name stays one word in one line. Bytes
 * that are not UTF-8 stay what they are, to be spelled where the text is written.
 */
final class Escapes {

  private static final String SPECIAL = "\"\\\b\f\n\r\t";
  private static final String LETTERS = "\"\\bfnrt";

  /** The columns of a byte that is spelled. */
  private static final int SPELLED_COLUMNS = 6;

  private Escapes() {}

  /**
   * Appends a name.
   *
   * @param spaces whether spaces are escaped too
   * @return the number of columns of the escaped name
   */
  static int append(StringBuilder out, String name, boolean spaces) {
    int start = out.length();
    boolean plain = true;
    for (int i = 0; i < name.length() && plain; i++) {
      char one = name.charAt(i);
      plain = one > ' ' && one <= '~' && one != '"' && one != '\\';
    }
    if (plain) {
      out.append(name);
      return name.length();
    }
    int more = 0;
    for (int i = 0; i < name.length(); i++) {
      int point = name.codePointAt(i);
      if (Character.charCount(point) == 1 && Character.isSurrogate((char) point)) {
        out.append((char) point);
        more += SPELLED_COLUMNS - 1;
      } else {
        escape(out, Character.toString(point), spaces);
        i += Character.charCount(point) - 1;
      }
    }
    return out.length() - start + more;
  }

  private static void escape(StringBuilder out, String character, boolean spaces) {
    for (byte one : character.getBytes(StandardCharsets.UTF_8)) {
      int index = SPECIAL.indexOf(one);
      if (index >= 0) {
        out.append('\\').append(LETTERS.charAt(index));
      } else if (one == ' ') {
        out.append(spaces ? "\\ " : " ");
      } else if (one > ' ' && one <= '~') {
        out.append((char) one);
      } else {
        out.append('\\').append((char) ('0' + ((one >> 6) & 3)));
        out.append((char) ('0' + ((one >> 3) & 7))).append((char) ('0' + (one & 7)));
      }
    }
  }
}
