package org.hyperslab.format.index.fractal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hyperslab.format.freespace.FreeSection;
import org.hyperslab.format.freespace.FreeSpaceClient;
import org.hyperslab.format.freespace.FreeSpaceManager;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The unused space of a heap's blocks, kept in memory: holes in direct blocks, and entries of
 * existing indirect blocks whose child was skipped or released. All offsets are heap offsets.
 *
 * <p>In the file, a hole is a section of class 0 ("single"). A run of unused entries is a section
 * of class 1 ("first row"), from which the C library derives one section for each row of direct
 * blocks in it; all but the first of these count as ghosts, and each adds the free bytes of one
 * block of its row to the manager's total. Source: H5HFsection.c.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class HeapFreeSpace {

  private static final int CLASS_SINGLE = 0;
  private static final int CLASS_FIRST_ROW = 1;

  /**
   * The greatest number of entries that are read, far more than a valid heap has; unused entries
   * beyond it are forgotten.
   */
  private static final long MAXIMUM_ENTRIES_READ = 1L << 20;

  private static final int SHRINK_PERCENT = 80;
  private static final int EXPAND_PERCENT = 120;

  /**
   * Unused bytes in a direct block.
   *
   * @param offset the heap offset of the first byte
   * @param bytes the number of bytes
   */
  record Hole(long offset, int bytes) {}

  private static final Comparator<Hole> BY_SIZE =
      Comparator.comparingInt(Hole::bytes).thenComparingLong(Hole::offset);

  private final HeapLayout layout;
  private final TreeMap<Long, Hole> holesByOffset = new TreeMap<>();
  private final TreeSet<Hole> holesBySize = new TreeSet<>(BY_SIZE);

  /** The offsets of direct blocks that do not exist, by the row in which they would be. */
  private final TreeMap<Integer, TreeSet<Long>> unusedDirect = new TreeMap<>();

  /** The offsets of indirect blocks that do not exist. */
  private final TreeSet<Long> unusedIndirect = new TreeSet<>();

  /** Whether a task that records this free space waits for the next flush. */
  private boolean waiting;

  HeapFreeSpace(HeapLayout layout) {
    this.layout = layout;
  }

  boolean waiting() {
    return waiting;
  }

  void waiting(boolean newWaiting) {
    this.waiting = newWaiting;
  }

  // Holes

  /** Adds a hole, merged with its neighbours, and returns the merged hole. */
  Hole add(long offset, int bytes) {
    long start = offset;
    int length = bytes;
    Map.Entry<Long, Hole> before = holesByOffset.lowerEntry(offset);
    if (before != null && before.getValue().offset + before.getValue().bytes == offset) {
      Hole hole = before.getValue();
      start = hole.offset;
      length += hole.bytes;
      remove(hole);
    }
    Hole after = holesByOffset.get(offset + bytes);
    if (after != null) {
      length += after.bytes;
      remove(after);
    }
    Hole joined = new Hole(start, length);
    holesByOffset.put(start, joined);
    holesBySize.add(joined);
    return joined;
  }

  void remove(Hole hole) {
    holesByOffset.remove(hole.offset);
    holesBySize.remove(hole);
  }

  /**
   * Removes and returns the smallest hole of at least the given number of bytes; returns null if
   * there is none.
   */
  Hole take(int bytes) {
    Hole hole = holesBySize.ceiling(new Hole(0, bytes));
    if (hole != null) {
      remove(hole);
    }
    return hole;
  }

  /** Returns whether a range of bytes overlaps a hole, and so cannot hold an object. */
  boolean overlaps(long offset, int bytes) {
    Map.Entry<Long, Hole> before = holesByOffset.lowerEntry(offset + bytes);
    return before != null && before.getValue().offset + before.getValue().bytes > offset;
  }

  // Unused entries

  void addUnused(long offset, int row) {
    if (row < layout.table().directRows()) {
      unusedDirect.computeIfAbsent(row, key -> new TreeSet<>()).add(offset);
    } else {
      unusedIndirect.add(offset);
    }
  }

  /**
   * Removes and returns the offset of a missing direct block of the smallest possible row from
   * {@code row} on; -1 if there is none.
   */
  long takeDirect(int row) {
    Map.Entry<Integer, TreeSet<Long>> blocks = unusedDirect.ceilingEntry(row);
    if (blocks == null) {
      return -1;
    }
    long offset = blocks.getValue().removeFirst();
    if (blocks.getValue().isEmpty()) {
      unusedDirect.remove(blocks.getKey());
    }
    return offset;
  }

  /** Returns the offsets of missing indirect blocks, ascending. */
  NavigableSet<Long> unusedIndirect() {
    return unusedIndirect;
  }

  /** Removes all free space in a range of heap offsets. */
  void forget(long from, long toExclusive) {
    unusedIndirect.subSet(from, toExclusive).clear();
    unusedDirect.values().forEach(blocks -> blocks.subSet(from, toExclusive).clear());
    unusedDirect.values().removeIf(TreeSet::isEmpty);
    List<Hole> holes = List.copyOf(holesByOffset.subMap(from, toExclusive).values());
    holes.forEach(this::remove);
  }

  void clear() {
    holesByOffset.clear();
    holesBySize.clear();
    unusedDirect.clear();
    unusedIndirect.clear();
  }

  // The form in the file

  private static int[] extraBytes(HeapLayout layout) {
    int entries = layout.offsetBytes() + 6;
    return new int[] {0, entries, entries, entries};
  }

  /** Returns the size in the file of the manager at an address, in bytes. */
  static long metadataBytes(MetadataSpace space, HeapLayout layout, long address) {
    return FreeSpaceManager.sizes(space, address, FreeSpaceClient.FRACTAL_HEAP, extraBytes(layout))
        .metadataBytes();
  }

  static void delete(MetadataSpace space, HeapLayout layout, long address) {
    FreeSpaceManager.delete(space, address, FreeSpaceClient.FRACTAL_HEAP, extraBytes(layout));
  }

  /**
   * Reads the sections that a heap's manager stores. Sections that cannot belong to this heap are
   * ignored, so that their space is lost.
   */
  static HeapFreeSpace read(MetadataSpace space, HeapHeader header) {
    HeapLayout layout = header.layout;
    HeapFreeSpace free = new HeapFreeSpace(layout);
    List<FreeSection> sections =
        FreeSpaceManager.read(
            space, header.freeSpaceAddress, FreeSpaceClient.FRACTAL_HEAP, extraBytes(layout));
    long end = header.rootRows == 0 ? layout.table().startBytes() : header.iterator;
    long entries = 0;
    for (FreeSection section : sections) {
      if (section.address() < 0 || section.address() >= end) {
        continue;
      }
      if (section.type() == CLASS_SINGLE) {
        long largest = layout.table().largestDirect(layout.table().directRows());
        boolean sound = section.sizeBytes() > 0 && section.sizeBytes() <= largest;
        if (sound && !free.overlaps(section.address(), (int) section.sizeBytes())) {
          free.add(section.address(), (int) section.sizeBytes());
        }
      } else if (section.type() == CLASS_FIRST_ROW) {
        entries += free.readEntries(section.extra(), end);
        if (entries > MAXIMUM_ENTRIES_READ) {
          break;
        }
      }
    }
    return free;
  }

  /** Adds a run of unused entries and returns the number of entries that it states. */
  private int readEntries(byte[] extra, long end) {
    int at = layout.offsetBytes();
    long parent = RecordBytes.unsigned(extra, 0, at);
    int row = (int) RecordBytes.unsigned(extra, at, 2);
    int column = (int) RecordBytes.unsigned(extra, at + 2, 2);
    int count = (int) RecordBytes.unsigned(extra, at + 4, 2);
    DoublingTable table = layout.table();
    long first = (long) row * table.width() + column;
    if (parent < 0 || first + count > (long) table.maximumRows() * table.width()) {
      return 0;
    }
    for (int entry = (int) first; entry < first + count; entry++) {
      long offset = parent + table.entryOffset(entry);
      if (offset >= 0 && offset < end) {
        addUnused(offset, entry / table.width());
      }
    }
    return count;
  }

  /**
   * Writes this free space as a new manager.
   *
   * @return the manager's address, or -1 if there is no free space
   */
  long write(MetadataSpace space, HeapParameters parameters) {
    List<FreeSection> sections = new ArrayList<>();
    Derived derived = new Derived();
    for (Hole hole : holesByOffset.values()) {
      sections.add(FreeSection.plain(hole.offset, hole.bytes, CLASS_SINGLE));
      derived.bytes += hole.bytes;
    }
    TreeSet<Long> direct = new TreeSet<>();
    unusedDirect.values().forEach(direct::addAll);
    addRuns(direct, true, sections, derived);
    addRuns(unusedIndirect, false, sections, derived);
    if (sections.isEmpty()) {
      return -1;
    }
    FreeSpaceClient client =
        new FreeSpaceClient(
            FreeSpaceClient.FRACTAL_HEAP,
            extraBytes(layout),
            SHRINK_PERCENT,
            EXPAND_PERCENT,
            parameters.maximumIndexBits(),
            parameters.maximumDirectBytes());
    return FreeSpaceManager.write(space, client, sections, derived.ghosts, derived.bytes);
  }

  /** The totals that the C library keeps for sections that it derives from stored ones. */
  private static final class Derived {
    private long ghosts;
    private long bytes;
  }

  /** Combines consecutive entries of one indirect block into sections. */
  private void addRuns(
      NavigableSet<Long> offsets, boolean direct, List<FreeSection> sections, Derived derived) {
    long parent = -1;
    int first = 0;
    int count = 0;
    for (long offset : offsets) {
      HeapPosition position = HeapPosition.of(layout.table(), offset, direct);
      if (count > 0 && position.parent() == parent && position.entry() == first + count) {
        count++;
      } else {
        addRun(parent, first, count, sections, derived);
        parent = position.parent();
        first = position.entry();
        count = 1;
      }
    }
    addRun(parent, first, count, sections, derived);
  }

  private void addRun(
      long parent, int first, int count, List<FreeSection> sections, Derived derived) {
    if (count == 0) {
      return;
    }
    DoublingTable table = layout.table();
    byte[] extra = new byte[layout.offsetBytes() + 6];
    RecordBytes.putUnsigned(extra, 0, parent, layout.offsetBytes());
    RecordBytes.putUnsigned(extra, layout.offsetBytes(), first / table.width(), 2);
    RecordBytes.putUnsigned(extra, layout.offsetBytes() + 2, first % table.width(), 2);
    RecordBytes.putUnsigned(extra, layout.offsetBytes() + 4, count, 2);
    int row = first / table.width();
    long size = table.freeInBlock(row < table.directRows() ? row : 0);
    sections.add(new FreeSection(parent + table.entryOffset(first), size, CLASS_FIRST_ROW, extra));
    derived.ghosts--;
    derive(first, first + count - 1, derived);
  }

  /** Counts the row sections that are derived from entries first to last of one indirect block. */
  private void derive(int first, int last, Derived derived) {
    DoublingTable table = layout.table();
    for (int row = first / table.width(); row <= last / table.width(); row++) {
      if (row < table.directRows()) {
        derived.ghosts++;
        derived.bytes += table.freeInBlock(row);
      } else {
        int from = Math.max(first, row * table.width());
        int to = Math.min(last, row * table.width() + table.width() - 1);
        Derived child = inTable(table.rowsOfChild(row));
        derived.ghosts += (to - from + 1) * child.ghosts;
        derived.bytes += (to - from + 1) * child.bytes;
      }
    }
  }

  /**
   * Returns the totals of the row sections of a whole table; tables of fewer rows are counted once
   * each.
   */
  private Derived inTable(int rows) {
    DoublingTable table = layout.table();
    Derived[] byRows = new Derived[Math.max(rows, 0) + 1];
    byRows[0] = new Derived();
    for (int row = 0; row < rows; row++) {
      Derived sum = new Derived();
      boolean direct = row < table.directRows();
      Derived child = direct ? null : byRows[Math.max(0, table.rowsOfChild(row))];
      sum.ghosts = byRows[row].ghosts + (direct ? 1 : table.width() * child.ghosts);
      sum.bytes =
          byRows[row].bytes + (direct ? table.freeInBlock(row) : table.width() * child.bytes);
      byRows[row + 1] = sum;
    }
    return byRows[byRows.length - 1];
  }
}
