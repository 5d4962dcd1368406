package org.hyperslab.vol.passthrough;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.hyperslab.format.memory.LruCache;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of elements, evicting the least recently used first, and an edit count for each
 * dataset.
 *
 * <p>Invariant: a page holds what the dataset holds as long as its version stays and nothing edits
 * it. Thread rule: any thread; every method holds the lock only for moments.
 */
final class PageStore {

  /** An object: the number of its open file and its token. */
  record Key(long fileNumber, long token) {}

  /** A page of a dataset as elements of a type. */
  record PageId(Key key, Datatype type, long page) {}

  private static final class State {
    long version;
    int edits;
    @Nullable DatasetInfo info;
  }

  /** Holds the pages, weighed in bytes. */
  private final LruCache<PageId, MemorySegment> pages;

  private final Map<Key, State> states = new HashMap<>();
  private int unknownEdits;
  private long hits;
  private long misses;

  PageStore(long capacity) {
    this.pages = new LruCache<>(capacity);
  }

  long capacity() {
    return pages.limit();
  }

  /**
   * Returns whether pages of a dataset may be used or filled: no operation in progress may change
   * it.
   */
  synchronized boolean isQuiet(Key key) {
    return unknownEdits == 0 && state(key).edits == 0;
  }

  synchronized long version(Key key) {
    return state(key).version;
  }

  synchronized Optional<DatasetInfo> info(Key key) {
    return Optional.ofNullable(state(key).info);
  }

  synchronized void info(Key key, long version, DatasetInfo info) {
    if (state(key).version == version && isQuiet(key)) {
      state(key).info = info;
    }
  }

  synchronized Optional<MemorySegment> page(PageId id) {
    Optional<MemorySegment> page = Optional.ofNullable(pages.get(id));
    hits += page.isPresent() ? 1 : 0;
    misses += page.isPresent() ? 0 : 1;
    return page;
  }

  /** Keeps a page that was read at a version of the dataset, if the version is still current. */
  synchronized void keep(PageId id, long version, MemorySegment page) {
    if (state(id.key).version != version || !isQuiet(id.key)) {
      return;
    }
    pages.put(id, page, page.byteSize());
  }

  /** Records the beginning of an edit; null for a dataset that is not known yet. */
  synchronized void beginEdit(@Nullable Key key) {
    if (key == null) {
      unknownEdits++;
    } else {
      state(key).edits++;
      forget(key::equals);
    }
  }

  /** Records the end of an edit. */
  synchronized void endEdit(@Nullable Key key) {
    if (key == null) {
      unknownEdits--;
      forget(any -> true);
    } else {
      state(key).edits--;
      forget(key::equals);
    }
  }

  /** Evicts all cached pages of some objects. */
  synchronized void forget(Predicate<Key> which) {
    pages.removeIf((id, page) -> which.test(id.key));
    states.forEach((key, state) -> {
      if (which.test(key)) {
        state.version++;
        state.info = null;
      }
    });
  }

  synchronized CachingConnector.Statistics statistics() {
    return new CachingConnector.Statistics(hits, misses, pages.weight(), pages.size());
  }

  private State state(Key key) {
    return states.computeIfAbsent(key, made -> new State());
  }
}
