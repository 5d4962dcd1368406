package org.hyperslab.plugins.nativevol.space;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The free sections of one kind of file space. Allocations use the smallest section that fits;
 * adjacent sections are merged. Addresses and sizes are in bytes.
 *
 * <p>Thread rule: confined to one thread; the owner locks.
 */
final class FreeSpace {

  private record Section(long size, long start) implements Comparable<Section> {
    @Override
    public int compareTo(Section other) {
      return size != other.size ? Long.compare(size, other.size) : Long.compare(start, other.start);
    }
  }

  private final TreeMap<Long, Long> sizeByStart = new TreeMap<>();
  private final TreeSet<Section> bySize = new TreeSet<>();
  private long totalBytes;

  /** Returns the number of bytes in all sections. */
  long totalBytes() {
    return totalBytes;
  }

  /** Calls an action for every section, by ascending address. */
  void forEach(RangeSet.Part action) {
    sizeByStart.forEach((start, size) -> action.accept(start, start + size));
  }

  /** Adds a free range; no byte of it may be free already, see {@link #intersects}. */
  void add(long start, long endExclusive) {
    long from = start;
    long to = endExclusive;
    Map.Entry<Long, Long> before = sizeByStart.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      from = before.getKey();
      drop(from, before.getValue());
    }
    Map.Entry<Long, Long> after = sizeByStart.ceilingEntry(start);
    if (after != null && after.getKey() == to) {
      to = after.getKey() + after.getValue();
      drop(after.getKey(), after.getValue());
    }
    keep(from, to - from);
  }

  /**
   * Takes {@code size} bytes, placed as {@code placement} demands, from the smallest section that
   * holds them; the rest of the section stays free.
   */
  OptionalLong take(long size, PlacementRule placement) {
    if (bySize.isEmpty() || bySize.last().size < size) { // often, as what is too small stays
      return OptionalLong.empty();
    }
    for (Section section : bySize.tailSet(new Section(size, 0), true)) {
      OptionalLong start = takeFrom(section, size, placement);
      if (start.isPresent()) {
        return start;
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Takes {@code size} bytes from the section with the lowest address that holds them.
   *
   * @param steps the greatest number of sections to examine, in element 0; reduced by the number
   *     examined
   */
  OptionalLong takeFirst(long size, PlacementRule placement, long[] steps) {
    for (Map.Entry<Long, Long> each : sizeByStart.entrySet()) {
      if (steps[0]-- <= 0) {
        break;
      }
      if (each.getValue() >= size) {
        OptionalLong start = takeFrom(new Section(each.getValue(), each.getKey()), size, placement);
        if (start.isPresent()) {
          return start;
        }
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong takeFrom(Section section, long size, PlacementRule placement) {
    long start = placement.place(section.start, size);
    long end = section.start + section.size;
    if (start > end - size) {
      return OptionalLong.empty();
    }
    drop(section.start, section.size);
    if (start > section.start) {
      keep(section.start, start - section.start);
    }
    if (start + size < end) {
      keep(start + size, end - start - size);
    }
    return OptionalLong.of(start);
  }

  /** Returns the start of the section that ends at an address, if there is one. */
  OptionalLong startOfSectionEndingAt(long endExclusive) {
    Map.Entry<Long, Long> last = sizeByStart.lowerEntry(endExclusive);
    return last == null || last.getKey() + last.getValue() != endExclusive
        ? OptionalLong.empty()
        : OptionalLong.of(last.getKey());
  }

  /** Removes everything from an address on, after the file was cut there. */
  void cut(long address) {
    while (!sizeByStart.isEmpty() && sizeByStart.lastEntry().getKey() >= address) {
      drop(sizeByStart.lastEntry().getKey(), sizeByStart.lastEntry().getValue());
    }
  }

  /** Removes the free parts of a range. */
  void takeOut(long start, long endExclusive) {
    splitAt(start);
    splitAt(endExclusive);
    Map.Entry<Long, Long> section = sizeByStart.ceilingEntry(start);
    while (section != null && section.getKey() < endExclusive) {
      drop(section.getKey(), section.getValue());
      section = sizeByStart.ceilingEntry(start);
    }
  }

  /** Splits the section that contains an address in two at that address. */
  void splitAt(long address) {
    Map.Entry<Long, Long> section = sizeByStart.lowerEntry(address);
    if (section != null && section.getKey() + section.getValue() > address) {
      long start = section.getKey();
      long end = start + section.getValue();
      drop(start, section.getValue());
      keep(start, address - start);
      keep(address, end - address);
    }
  }

  /** Moves every section to another set. */
  void drainTo(FreeSpace other) {
    sizeByStart.forEach((start, size) -> other.add(start, start + size));
    sizeByStart.clear();
    bySize.clear();
    totalBytes = 0;
  }

  /** Returns whether any byte of a range is free. */
  boolean intersects(long start, long endExclusive) {
    Map.Entry<Long, Long> before = sizeByStart.lowerEntry(endExclusive);
    return before != null && before.getKey() + before.getValue() > start;
  }

  private void keep(long start, long size) {
    sizeByStart.put(start, size);
    bySize.add(new Section(size, start));
    totalBytes += size;
  }

  private void drop(long start, long size) {
    sizeByStart.remove(start);
    bySize.remove(new Section(size, start));
    totalBytes -= size;
  }
}
