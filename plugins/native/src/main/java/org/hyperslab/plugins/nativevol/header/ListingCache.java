package org.hyperslab.plugins.nativevol.header;

import java.util.function.Supplier;
import org.hyperslab.format.memory.LruCache;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Caches sorted listings of the most recently listed links and attributes, so that paging through
 * many sorts them once. A listing is valid until the next edit of the file.
 *
 * <p>Thread rule: any thread, under the file's read or write lock.
 */
public final class ListingCache {

  private static final int REMEMBERED = 4;

  /** What a listing holds. */
  public enum Kind {
    /** The links of a group. */
    LINKS,

    /** The attributes of an object. */
    ATTRIBUTES
  }

  /**
   * The key of a listing.
   *
   * @param object the address of the header of the object that has the links or attributes
   * @param kind which of them are listed
   * @param index the order
   */
  public record Key(long object, Kind kind, IterationIndex index) {

    /** As a record's own, which would be generated at the start of each process. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && key.object == object
          && key.kind == kind
          && key.index == index;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Long.hashCode(object) + kind.ordinal()) + index.ordinal();
    }
  }

  private record Listing(long edits, Object value) {}

  private final NativeFile file;
  private final LruCache<Key, Listing> listings = new LruCache<>(REMEMBERED);

  ListingCache(NativeFile file) {
    this.file = file;
  }

  /**
   * {@return the listing of a key, created if it is not cached or the file has been edited since}
   *
   * @param <T> the type of the listing
   * @param key what is listed
   * @param type the type of the listing
   * @param make makes the listing if it is not kept
   */
  public <T> T get(Key key, Class<T> type, Supplier<T> make) {
    long edits = file.edits();
    synchronized (listings) {
      Listing known = listings.get(key);
      if (known != null && known.edits == edits && type.isInstance(known.value)) {
        return type.cast(known.value);
      }
    }
    T made = make.get();
    synchronized (listings) {
      listings.put(key, new Listing(edits, made), 1);
    }
    return made;
  }
}
