package org.hyperslab.plugins.mpiio.agree;

import java.util.List;

/** Shortens long texts to the part in which they differ. Thread rule: stateless. */
final class Differences {

  private static final int CONTEXT = 120;

  private Differences() {}

  /**
   * Returns the texts, each shortened to about {@code longest} characters around the first
   * difference.
   */
  static List<String> around(List<String> texts, int longest) {
    int common = commonPrefix(texts);
    return texts.stream().map(text -> shortened(text, common, longest)).toList();
  }

  private static String shortened(String text, int difference, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int from = Math.clamp(difference - CONTEXT, 0, text.length());
    int to = Math.min(text.length(), Math.max(difference, CONTEXT) + longest / 2);
    String head = from <= CONTEXT ? text.substring(0, from) : text.substring(0, CONTEXT) + " … ";
    return head + text.substring(from, to) + (to < text.length() ? " …" : "");
  }

  private static int commonPrefix(List<String> texts) {
    String first = texts.getFirst();
    int common = first.length();
    for (String text : texts) {
      int same = 0;
      while (same < Math.min(common, text.length()) && text.charAt(same) == first.charAt(same)) {
        same++;
      }
      common = same;
    }
    return common;
  }
}
