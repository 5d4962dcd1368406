package org.hyperslab.plugins.nativevol.header;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.PageRequest;

/**
 * Sorts and pages links or attributes that are all in memory.
 *
 * <p>Thread rule: no state.
 */
public final class SortedPages {

  private SortedPages() {}

  /**
   * {@return the entries of a page}
   *
   * @param <T> the type of the entries
   * @param all all entries, in any order
   * @param page the order, and the entries to return
   * @param name returns the name of an entry
   * @param creation returns the creation index of an entry
   */
  public static <T> List<T> page(
      List<T> all, PageRequest page, Function<T, String> name, ToLongFunction<T> creation) {
    Comparator<T> order =
        page.index() == IterationIndex.NAME
            ? (a, b) -> NameBytes.compare(name.apply(a), name.apply(b))
            : Comparator.comparingLong(creation);
    return all.stream()
        .sorted(page.descending() ? order.reversed() : order)
        .skip(page.position())
        .limit(page.limit())
        .toList();
  }
}
