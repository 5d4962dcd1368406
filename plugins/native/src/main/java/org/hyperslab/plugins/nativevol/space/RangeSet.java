package org.hyperslab.plugins.nativevol.space;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of file addresses as disjoint half-open ranges; adjacent ranges are merged. Addresses are
 * in bytes.
 *
 * <p>Adding at the end of one of the two most recently extended ranges needs no search; an
 * allocator that carves a block of metadata and one of raw data by turns does this.
 *
 * <p>Thread rule: confined to one thread; the owner locks.
 */
final class RangeSet {

  /** An action on a part of a range. */
  @FunctionalInterface
  public interface Part {
    /** Called with the part's bounds; {@code endExclusive > start}. */
    void accept(long start, long endExclusive);
  }

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long hotStart = -1;
  private long hotEnd = -1;

  /** The range that was extended before the hot one. */
  private long olderStart = -1;

  private long olderEnd = -1;

  /** Adds a range; parts that the set already contains are allowed. */
  void add(long start, long endExclusive) {
    if (start == hotEnd) {
      hotEnd = endExclusive;
      return;
    }
    long foundStart = olderStart;
    long foundEnd = endExclusive;
    if (start != olderEnd) {
      settleOlder();
      insert(start, endExclusive);
      Map.Entry<Long, Long> holder = endByStart.floorEntry(start);
      foundStart = holder.getKey();
      foundEnd = holder.getValue();
    }
    olderStart = hotStart;
    olderEnd = hotEnd;
    hotStart = foundStart;
    hotEnd = foundEnd;
  }

  private void insert(long start, long endExclusive) {
    long from = start;
    long to = endExclusive;
    Map.Entry<Long, Long> before = endByStart.floorEntry(from);
    if (before != null && before.getValue() >= from) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    Map.Entry<Long, Long> next = endByStart.higherEntry(from);
    while (next != null && next.getKey() <= to) {
      to = Math.max(to, next.getValue());
      endByStart.remove(next.getKey());
      next = endByStart.higherEntry(from);
    }
    endByStart.put(from, to);
  }

  /** Removes a range, whether or not it is in the set. */
  void remove(long start, long endExclusive) {
    settle();
    Map.Entry<Long, Long> before = endByStart.lowerEntry(start);
    if (before != null && before.getValue() > start) {
      endByStart.put(before.getKey(), start);
      if (before.getValue() > endExclusive) {
        endByStart.put(endExclusive, before.getValue());
      }
    }
    Map.Entry<Long, Long> next = endByStart.ceilingEntry(start);
    while (next != null && next.getKey() < endExclusive) {
      endByStart.remove(next.getKey());
      if (next.getValue() > endExclusive) {
        endByStart.put(endExclusive, next.getValue());
      }
      next = endByStart.ceilingEntry(start);
    }
  }

  /** Splits a range into the parts inside and outside the set, in order. */
  void split(long start, long endExclusive, Part inside, Part outside) {
    settle();
    long at = start;
    Map.Entry<Long, Long> range = endByStart.floorEntry(start);
    if (range == null || range.getValue() <= start) {
      range = endByStart.higherEntry(start);
    }
    while (range != null && range.getKey() < endExclusive) {
      long from = Math.max(at, range.getKey());
      long to = Math.min(endExclusive, range.getValue());
      if (from > at) {
        outside.accept(at, from);
      }
      inside.accept(from, to);
      at = to;
      range = endByStart.higherEntry(range.getKey());
    }
    if (at < endExclusive) {
      outside.accept(at, endExclusive);
    }
  }

  /** Returns whether every address of a non-empty range is in the set. */
  boolean covers(long start, long endExclusive) {
    if ((start >= hotStart && endExclusive <= hotEnd)
        || (start >= olderStart && endExclusive <= olderEnd)) {
      return true;
    }
    settle();
    Map.Entry<Long, Long> range = endByStart.floorEntry(start);
    return range != null && range.getValue() >= endExclusive;
  }

  /** Empties the set. */
  void clear() {
    endByStart.clear();
    hotStart = -1;
    hotEnd = -1;
    olderStart = -1;
    olderEnd = -1;
  }

  /** Writes the most recent ranges back into the tree. */
  private void settle() {
    settleOlder();
    if (hotStart >= 0) {
      insert(hotStart, hotEnd);
      hotStart = -1;
      hotEnd = -1;
    }
  }

  private void settleOlder() {
    if (olderStart >= 0) {
      insert(olderStart, olderEnd);
      olderStart = -1;
      olderEnd = -1;
    }
  }
}
