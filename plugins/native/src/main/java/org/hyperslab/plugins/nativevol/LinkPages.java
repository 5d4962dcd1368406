package org.hyperslab.plugins.nativevol;

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

  private static final Comparator<LinkMessage> BY_NAME =
      (a, b) -> NameBytes.compare(a.name(), b.name());
  private static final Comparator<LinkMessage> BY_CREATION =
      Comparator.comparingLong(link -> link.creationIndex().orElse(0));

  private LinkPages() {}

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
