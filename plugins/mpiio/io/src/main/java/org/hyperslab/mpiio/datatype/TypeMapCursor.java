package org.hyperslab.mpiio.datatype;

import java.util.Arrays;

/**
 * Walks the runs of a {@link TypeMap} in packed order, joining adjacent ones. Does not allocate
 * memory for each run. Starts before the first run; confined to one thread at a time.
 */
public final class TypeMapCursor {

  private final TypeMap map;
  private final long from;
  private final long to;

  private TypeMap[] nodes = new TypeMap[8];
  private long[] indices = new long[8];
  private long[] bases = new long[8];
  private int depth;

  /** The packed position after the next run, which has been found already. */
  private long ahead;

  private long aheadOffset;
  private long aheadLength;
  private long position;
  private long offset;
  private long length;

  TypeMapCursor(TypeMap map, long from, long to) {
    if (from < 0 || to < from || to > map.size()) {
      throw new IndexOutOfBoundsException(from + ".." + to + " of " + map.size());
    }
    this.map = map;
    this.from = from;
    this.to = to;
    seek(from);
  }

  /**
   * Moves to the next run.
   *
   * @return false after the last run; the current run is then empty
   */
  public boolean next() {
    position += length;
    if (aheadLength == 0) {
      length = 0;
      return false;
    }
    offset = aheadOffset;
    length = aheadLength;
    readAhead();
    while (aheadLength > 0 && aheadOffset == offset + length) {
      length += aheadLength;
      readAhead();
    }
    return true;
  }

  /** {@return the offset of the current run from the type's origin} */
  public long offset() {
    return offset;
  }

  /** {@return the length of the current run in bytes} */
  public long length() {
    return length;
  }

  /** {@return the packed position of the current run's first byte} */
  public long position() {
    return position;
  }

  /**
   * Places the cursor before the byte at a packed position: the next run starts there.
   *
   * @param packed a packed position within the range of the cursor
   */
  public void seek(long packed) {
    if (packed < from || packed > to) {
      throw new IndexOutOfBoundsException(packed + " of " + from + ".." + to);
    }
    depth = 0;
    position = packed;
    offset = 0;
    length = 0;
    ahead = packed;
    aheadLength = 0;
    if (packed < to) {
      descend(map, 0, packed);
      clip();
    }
  }

  private void readAhead() {
    aheadLength = 0;
    while (ahead < to && depth > 0) {
      int top = depth - 1;
      long index = ++indices[top];
      long base = bases[top];
      switch (nodes[top]) {
        case TypeMap.Repeated r when index < r.count -> {
          descend(r.child, base + r.first + index * r.stride, 0);
          clip();
          return;
        }
        case TypeMap.Listed l when index < l.count() -> {
          aheadOffset = base + l.start((int) index);
          aheadLength = l.length((int) index);
          clip();
          return;
        }
        case TypeMap.Joined j when index < j.count() -> {
          descend(j.part((int) index), base, 0);
          clip();
          return;
        }
        case TypeMap.Repeated _, TypeMap.Listed _, TypeMap.Joined _, TypeMap.Dense _ -> depth--;
      }
    }
  }

  /** Cuts the next run at the end of the range. */
  private void clip() {
    aheadLength = Math.min(aheadLength, to - ahead);
    ahead += aheadLength;
  }

  /** Sets the next run to the rest of the one that holds a packed position of the node. */
  private void descend(TypeMap start, long startBase, long startSkip) {
    TypeMap node = start;
    long base = startBase;
    long skip = startSkip;
    while (true) {
      switch (node) {
        case TypeMap.Dense d -> {
          aheadOffset = base + d.low() + skip;
          aheadLength = d.size() - skip;
          return;
        }
        case TypeMap.Repeated r -> {
          long i = skip == 0 ? 0 : skip / r.child.size();
          push(r, i, base);
          base += r.first + i * r.stride;
          skip -= i * r.child.size();
          node = r.child;
        }
        case TypeMap.Listed l -> {
          int i = skip == 0 ? 0 : l.indexOf(skip);
          push(l, i, base);
          aheadOffset = base + l.start(i) + skip - l.packedAt(i);
          aheadLength = l.length(i) - (skip - l.packedAt(i));
          return;
        }
        case TypeMap.Joined j -> {
          int i = skip == 0 ? 0 : j.indexOf(skip);
          push(j, i, base);
          skip -= j.packedAt(i);
          node = j.part(i);
        }
      }
    }
  }

  private void push(TypeMap node, long index, long base) {
    if (depth == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * depth);
      indices = Arrays.copyOf(indices, 2 * depth);
      bases = Arrays.copyOf(bases, 2 * depth);
    }
    nodes[depth] = node;
    indices[depth] = index;
    bases[depth] = base;
    depth++;
  }
}
