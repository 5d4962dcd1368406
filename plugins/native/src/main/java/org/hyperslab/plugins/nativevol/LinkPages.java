package org.hyperslab.plugins.nativevol;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.PageRequest;

/**
 * Sorts and pages links that are all in memory.
 *
 * <p>Thread rule: no state.
 */
final class LinkPages {

  private static final Comparator<LinkMessage> BY_NAME = (a, b) -> compareNames(a.name(), b.name());
  private static final Comparator<LinkMessage> BY_CREATION =
      Comparator.comparingLong(link -> link.creationIndex().orElse(0));

  private LinkPages() {}

  /** Compares names by their UTF-8 bytes as unsigned numbers, as the HDF5 library does. */
  static int compareNames(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Below the surrogates, characters have the order of their bytes.
        return Math.max(x, y) < Character.MIN_SURROGATE
            ? Character.compare(x, y)
            : compareBytes(a, b);
      }
    }
    if (a.length() == b.length()) {
      return 0;
    }
    char next = a.length() > common ? a.charAt(common) : b.charAt(common);
    return next < Character.MIN_SURROGATE
        ? Integer.compare(a.length(), b.length())
        : compareBytes(a, b);
  }

  private static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(NameBytes.encode(a), NameBytes.encode(b));
  }

  /** Returns the links of a page. */
  static List<LinkMessage> page(List<LinkMessage> links, PageRequest page) {
    Comparator<LinkMessage> order = page.index() == IterationIndex.NAME ? BY_NAME : BY_CREATION;
    return links.stream()
        .sorted(page.descending() ? order.reversed() : order)
        .skip(page.position())
        .limit(page.limit())
        .toList();
  }
}
