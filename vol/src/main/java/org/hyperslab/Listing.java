package org.hyperslab;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;

/**
 * Iterates over an ordered listing, fetching each page when it is needed.
 *
 * <p>Thread rule: confined to one thread.
 *
 * @param <T> what is listed
 */
final class Listing<T> implements Iterator<T> {

  private final Function<PageRequest, Page<T>> source;
  private PageRequest request;
  private Iterator<T> entries;
  private boolean last;

  private Listing(PageRequest first, Function<PageRequest, Page<T>> source) {
    this.source = source;
    this.request = first;
  }

  /** Returns a lazy stream from {@code first} to the end. */
  static <T> Stream<T> stream(PageRequest first, Function<PageRequest, Page<T>> source) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new Listing<>(first, source), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  @Override
  public boolean hasNext() {
    while ((entries == null || !entries.hasNext()) && !last) {
      if (entries != null) {
        request = request.next();
      }
      Page<T> page = source.apply(request);
      entries = page.entries().iterator();
      last = page.last();
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
}
