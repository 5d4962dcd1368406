package org.hyperslab.plugins.nativevol.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.index.dense.DenseEntry;
import org.hyperslab.format.index.dense.DenseListing;
import org.hyperslab.format.index.dense.DenseStorage;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.PageRequest;

/**
 * Pages links or attributes in dense storage: through the index of creation order, or through a
 * sorted listing, which is cached.
 *
 * <p>Thread rule: no state; under the file's read or write lock.
 */
public final class DensePages {

  private DensePages() {}

  /**
   * {@return the entries of a page}
   *
   * @param storage the storage
   * @param listings the cached listings of the file
   * @param key the key under which the listing is cached
   * @param page the order, and the entries to return
   */
  public static List<DenseEntry> page(
      DenseStorage storage, ListingCache listings, ListingCache.Key key, PageRequest page) {
    boolean byOrder = page.index() == IterationIndex.CREATION_ORDER;
    if (byOrder && storage.addresses().hasOrderIndex() && storage.orderIndexIsComplete()) {
      return pageByOrder(storage, page);
    }
    DenseListing listing =
        listings.get(key, DenseListing.class, () -> sorted(storage.list(), byOrder));
    List<DenseEntry> entries = new ArrayList<>();
    boolean backwards = page.descending() && !(byOrder && isOneOrder(listing));
    long end = Math.min(listing.size(), page.position() + (long) page.limit());
    for (long i = page.position(); i < end; i++) {
      entries.add(listing.get((int) (backwards ? listing.size() - 1 - i : i)));
    }
    return entries;
  }

  /**
   * Returns whether all entries have the same creation order, because it is not tracked: the HDF5
   * library then lists them by their records in both directions.
   */
  private static boolean isOneOrder(DenseListing listing) {
    return listing.size() == 0
        || listing.creationOrder(0) == listing.creationOrder(listing.size() - 1);
  }

  private static DenseListing sorted(DenseListing listing, boolean byOrder) {
    return byOrder ? listing.sortedByCreationOrder() : listing.sortedByName();
  }

  private static List<DenseEntry> pageByOrder(DenseStorage storage, PageRequest page) {
    List<DenseEntry> entries = new ArrayList<>();
    if (page.position() >= storage.size()) {
      return entries;
    }
    if (page.descending()) {
      storage.forEachByOrderDescending(
          storage.size() - 1 - page.position(), entry -> collect(entries, entry, page.limit()));
    } else {
      storage.forEachByOrder(page.position(), entry -> collect(entries, entry, page.limit()));
    }
    return entries;
  }

  private static boolean collect(List<DenseEntry> entries, DenseEntry entry, int limit) {
    entries.add(entry);
    return entries.size() < limit;
  }
}
