package org.hyperslab.plugins.nativevol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Sorted listings that were made for the last few groups walked, so that walking a large group page
 * by page sorts it once. A listing is good until the file is next edited.
 *
 * <p>Thread rule: any thread, under the file's read or write lock.
 */
final class ListingCache {

  private static final int REMEMBERED = 4;

  /**
   * The key of a listing.
   *
   * @param object the header of the group
   * @param index the order
   */
  record Key(long object, IterationIndex index) {}

  private record Listing(long edits, Object value) {}

  private final NativeFile file;
  private final Map<Key, Listing> listings =
      new LinkedHashMap<>(8, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Listing> eldest) {
          return size() > REMEMBERED;
        }
      };

  ListingCache(NativeFile file) {
    this.file = file;
  }

  /** Returns the listing of a key, made if it is not known or the file has been edited since. */
  <T> T get(Key key, Class<T> type, Supplier<T> make) {
    long edits = file.edits();
    synchronized (listings) {
      Listing known = listings.get(key);
      if (known != null && known.edits == edits && type.isInstance(known.value)) {
        return type.cast(known.value);
      }
    }
    T made = make.get();
    synchronized (listings) {
      listings.put(key, new Listing(edits, made));
    }
    return made;
  }
}
