package org.hyperslab;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over an ordered listing, fetching each page when it is needed. Entries may be added and
 * removed meanwhile: one that exists throughout is returned exactly once. Each page but the first
 * is therefore fetched together with the entry before it; if that is not the last one returned,
 * positions have changed, and the page is searched for from the beginning.
 *
 * <p>Thread rule: confined to one thread.
 *
 * @param <T> what is listed
 */
final class Listing<T> implements Iterator<T> {

  private final Function<PageRequest, Page<T>> source;
  private final Comparator<T> order;
  private final PageRequest first;

  /** The entries of the current page; none before the first. */
  private Iterator<T> entries = Collections.emptyIterator();

  /** The last entry of the current page; null if there is none. */
  private @Nullable T passed;

  /** The position after the current page. */
  private long position;

  private boolean last;

  private Listing(PageRequest first, Comparator<T> order, Function<PageRequest, Page<T>> source) {
    this.source = source;
    this.order = first.descending() ? order.reversed() : order;
    this.first = first;
    this.position = first.position();
  }

  /**
   * Returns a lazy stream from {@code first} to the end.
   *
   * @param order the ascending order of the entries
   */
  static <T> Stream<T> stream(
      PageRequest first, Comparator<T> order, Function<PageRequest, Page<T>> source) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new Listing<>(first, order, source), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /** Returns the order of links. */
  static Comparator<LinkInfo> ofLinks(IterationIndex index) {
    return index == IterationIndex.NAME
        ? (a, b) -> NameBytes.compare(a.name(), b.name())
        : (a, b) -> compareCreation(a.creationOrder(), b.creationOrder());
  }

  /** Returns the order of attributes. */
  static Comparator<AttributeInfo> ofAttributes(IterationIndex index) {
    return index == IterationIndex.NAME
        ? (a, b) -> NameBytes.compare(a.name(), b.name())
        : (a, b) -> compareCreation(a.creationOrder(), b.creationOrder());
  }

  /** Compares coordinates in row-major order. */
  static int compareCoordinates(List<Long> a, List<Long> b) {
    return Arrays.compare(a.toArray(Long[]::new), b.toArray(Long[]::new));
  }

  private static int compareCreation(OptionalLong a, OptionalLong b) {
    return Long.compare(a.orElse(0), b.orElse(0));
  }

  @Override
  public boolean hasNext() {
    while (!entries.hasNext() && !last) {
      List<T> next = passed == null ? fetch(position, first.limit()) : following();
      entries = next.iterator();
      if (!next.isEmpty()) {
        passed = next.getLast();
      }
    }
    return entries.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("listing: no entry follows");
    }
    return entries.next();
  }

  /** Returns entries that follow the last one passed; empty only if none follows. */
  private List<T> following() {
    int limit = first.limit() == Integer.MAX_VALUE ? first.limit() : first.limit() + 1;
    List<T> page = fetch(position - 1, limit);
    if (!page.isEmpty() && order.compare(page.getFirst(), passed) == 0) {
      return last || page.size() > 1 ? page.subList(1, page.size()) : fetch(position, limit);
    }
    position = 0;
    do {
      List<T> after =
          fetch(position, first.limit()).stream()
              .filter(entry -> order.compare(entry, passed) > 0)
              .toList();
      if (!after.isEmpty()) {
        return after;
      }
    } while (!last);
    return List.of();
  }

  private List<T> fetch(long from, int limit) {
    Page<T> page = source.apply(new PageRequest(first.index(), first.descending(), from, limit));
    position = Math.addExact(from, page.entries().size());
    last = page.last();
    return page.entries();
  }
}
