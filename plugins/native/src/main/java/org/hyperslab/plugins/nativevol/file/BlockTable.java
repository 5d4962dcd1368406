package org.hyperslab.plugins.nativevol.file;

import java.util.function.Predicate;

/**
 * The entries of a metadata cache, each of which knows its address. A look-up that finds an entry
 * takes no lock and creates no object, because an operation on an object makes ten of them.
 *
 * <p>An entry is at the first free place from the hash of its address on. Removing one moves those
 * that follow it, so that a look-up in another thread may miss one of these; a look-up that finds
 * nothing is therefore repeated under the lock.
 *
 * <p>Thread rule: any thread.
 */
final class BlockTable {

  private static final int FIRST_LENGTH = 64;

  /**
   * At least half of the places are free. The array is volatile, its elements are not: a look-up
   * that misses a new one is repeated under the lock, and a found entry has a final address and
   * publishes its block itself.
   */
  private volatile CachedBlock[] places = new CachedBlock[FIRST_LENGTH];

  private int size;

  /** Returns the entry at an address, or null. */
  CachedBlock get(long address) {
    CachedBlock[] now = places;
    CachedBlock found = now[find(now, address)];
    // Another thread may have moved entries since the place was found.
    return found != null && found.address() == address ? found : getAlone(address);
  }

  private synchronized CachedBlock getAlone(long address) {
    return places[find(places, address)];
  }

  /** Returns the place of an address, or the free one where it would be. */
  private static int find(CachedBlock[] places, long address) {
    int mask = places.length - 1;
    int at = home(address, mask);
    for (CachedBlock each = places[at]; each != null; each = places[at]) {
      if (each.address() == address) {
        return at;
      }
      at = (at + 1) & mask;
    }
    return at;
  }

  private static int home(long address, int mask) {
    return (int) ((address * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  /**
   * Puts an entry in the place of that at its address, which is returned; null if there is none.
   */
  synchronized CachedBlock put(CachedBlock entry) {
    int at = find(places, entry.address());
    CachedBlock old = places[at];
    places[at] = entry;
    if (old == null && ++size > places.length / 2) {
      rebuild(2 * places.length, each -> true);
    }
    return old;
  }

  /**
   * Puts an entry like {@link #put}, unless there is one with a block, and returns what is there.
   */
  synchronized CachedBlock putIfNone(CachedBlock entry) {
    CachedBlock known = getAlone(entry.address());
    if (known != null && known.get() != null) {
      return known;
    }
    put(entry);
    return entry;
  }

  /** Removes the entry at an address and returns it; null if there is none. */
  synchronized CachedBlock remove(long address) {
    int at = find(places, address);
    CachedBlock old = places[at];
    if (old != null) {
      close(at);
      size--;
    }
    return old;
  }

  /** Removes the entry at an address if its block has been collected. */
  synchronized void removeCollected(long address) {
    CachedBlock known = getAlone(address);
    if (known != null && known.get() == null) {
      remove(address);
    }
  }

  /** Frees a place, and moves the entries after it that would not be found any more. */
  private void close(int place) {
    CachedBlock[] now = places;
    int mask = now.length - 1;
    int free = place;
    for (int at = (free + 1) & mask; now[at] != null; at = (at + 1) & mask) {
      int home = home(now[at].address(), mask);
      if (((at - home) & mask) >= ((at - free) & mask)) {
        now[free] = now[at];
        free = at;
      }
    }
    now[free] = null;
  }

  /** Removes the entries that a test accepts. */
  synchronized void removeIf(Predicate<CachedBlock> test) {
    rebuild(places.length, test.negate());
  }

  private void rebuild(int length, Predicate<CachedBlock> kept) {
    CachedBlock[] fresh = new CachedBlock[length];
    size = 0;
    for (CachedBlock each : places) {
      if (each != null && kept.test(each)) {
        fresh[find(fresh, each.address())] = each;
        size++;
      }
    }
    places = fresh;
  }
}
