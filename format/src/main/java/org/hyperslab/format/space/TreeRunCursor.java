package org.hyperslab.format.space;

/**
 * The runs of a span tree. If everything below an index is selected, or a single run below each
 * index, whole entries become one group.
 */
final class TreeRunCursor extends RunCursor {

  private final SpanNode root;
  private final int rank;
  private final long[] units;
  private final boolean whole;
  private final long total;

  // The path, with one level per dimension.
  private final SpanNode[] nodes;
  private final long[] bases;
  private final int[] entries;
  private final long[] repeats;
  private final long[] indices;
  private int depth;

  private final SpanLine line = new SpanLine();

  /** Creates a cursor over a tree that lies within an extent. */
  TreeRunCursor(SpanNode root, long[] extent, long firstOrdinal, long count) {
    this.root = root;
    this.rank = extent.length;
    this.units = Extents.units(extent);
    this.total = root.countOrThrow();
    this.whole = total > 0 && total == Extents.volume(extent);
    this.nodes = new SpanNode[rank];
    this.bases = new long[rank];
    this.entries = new int[rank];
    this.repeats = new long[rank];
    this.indices = new long[rank];
    seek(firstOrdinal, count);
  }

  @Override
  long total() {
    return total;
  }

  @Override
  long position(long firstOrdinal) {
    depth = 0;
    if (whole) {
      return firstOrdinal;
    }
    enter(root, 0);
    if (firstOrdinal == 0) {
      return 0;
    }
    long left = firstOrdinal;
    while (true) {
      SpanNode node = nodes[depth];
      int entry = node.entryOfOrdinal(left);
      left -= node.before()[entry];
      entries[depth] = entry;
      SpanNode down = node.down(entry);
      long unit = units[depth];
      if (down.count == unit) {
        return left;
      }
      if (line.find(down, depth + 1, units)) {
        if (node.block(entry) == 1) {
          return left;
        }
        long perRepeat = node.block(entry) * down.count;
        repeats[depth] = left / perRepeat;
        return left % perRepeat;
      }
      long index = left / down.count;
      left -= index * down.count;
      repeats[depth] = index / node.block(entry);
      indices[depth] = index % node.block(entry);
      descend(node, entry, down);
    }
  }

  private void enter(SpanNode node, long base) {
    nodes[depth] = node;
    bases[depth] = base;
    entries[depth] = 0;
    repeats[depth] = 0;
    indices[depth] = 0;
  }

  private void descend(SpanNode node, int entry, SpanNode down) {
    long index = node.start(entry) + repeats[depth] * node.stride(entry) + indices[depth];
    long base = bases[depth] + index * units[depth];
    depth++;
    enter(down, base);
  }

  @Override
  boolean loadRaw() {
    if (whole) {
      return loadWhole();
    }
    while (depth >= 0) {
      SpanNode node = nodes[depth];
      int entry = entries[depth];
      if (entry == node.size()) {
        depth--;
        if (depth >= 0) {
          step();
        }
        continue;
      }
      SpanNode down = node.down(entry);
      if (down.count == units[depth]) {
        setRaw(node, entry, 0, node.block(entry) * units[depth]);
        entries[depth]++;
        return true;
      }
      if (line.find(down, depth + 1, units)) {
        loadLines(node, entry);
        return true;
      }
      if (depth == rank - 2 && down.size() == 1) {
        loadRow(node, entry, down);
        return true;
      }
      descend(node, entry, down);
    }
    return false;
  }

  private boolean loadWhole() {
    if (depth < 0) {
      return false;
    }
    depth = -1;
    raw.set(0, total, total, 1);
    return true;
  }

  private void setRaw(SpanNode node, int entry, long lineOffset, long length) {
    long unit = units[depth];
    raw.set(
        bases[depth] + node.start(entry) * unit + lineOffset,
        length,
        node.stride(entry) * unit,
        node.repeats(entry));
  }

  /** Loads a row whose blocks are one run, without descending to it. */
  private void loadRow(SpanNode node, int entry, SpanNode row) {
    long index = node.start(entry) + repeats[depth] * node.stride(entry) + indices[depth];
    raw.set(
        bases[depth] + index * units[depth] + row.start(0),
        row.block(0),
        row.stride(0),
        row.repeats(0));
    step();
  }

  private void loadLines(SpanNode node, int entry) {
    setRaw(node, entry, line.offset, line.length);
    if (node.block(entry) == 1) {
      entries[depth]++;
      return;
    }
    raw.offset += repeats[depth] * raw.stride;
    raw.stride = units[depth];
    raw.repeats = node.block(entry);
    if (++repeats[depth] == node.repeats(entry)) {
      repeats[depth] = 0;
      entries[depth]++;
    }
  }

  private void step() {
    SpanNode node = nodes[depth];
    int entry = entries[depth];
    if (++indices[depth] == node.block(entry)) {
      indices[depth] = 0;
      if (++repeats[depth] == node.repeats(entry)) {
        repeats[depth] = 0;
        entries[depth]++;
      }
    }
  }
}
