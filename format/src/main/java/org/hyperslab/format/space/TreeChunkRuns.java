package org.hyperslab.format.space;

/**
 * The runs of a tree's piece in a chunk, with positions in the whole tree. It traverses the piece
 * and, in step with it, the tree that it was cut from.
 *
 * <p>A row of the piece keeps the numbering of the tree's row: the position of an index is the
 * position of its row plus the number of selected elements before it.
 */
final class TreeChunkRuns implements OrdinalGroup.Source {

  private final int rank;
  private final long[] units;
  private final long[] origin;
  private final SpanNode[] pieces;
  private final SpanNode[] originals;
  private final long[] bases;
  private final long[] ordinals;
  private final int[] entries;
  private final long[] repeats;
  private final long[] indices;
  private final long[] corner;
  private final SpanLine line = new SpanLine();
  private int depth;

  // The last row that was a single group, relative to the row's beginning.
  private SpanNode knownRow;
  private SpanNode knownOriginalRow;
  private long rowOffset;
  private long rowOrdinal;
  private long rowLength;
  private long rowRepeats;
  private long rowStride;
  private long rowOrdinalStride;

  TreeChunkRuns(SpanNode piece, SpanNode root, long[] scaled, long[] chunkDims) {
    this.rank = chunkDims.length;
    this.units = Extents.units(chunkDims);
    this.origin = new long[rank];
    for (int i = 0; i < rank; i++) {
      origin[i] = scaled[i] * chunkDims[i];
    }
    this.pieces = new SpanNode[rank + 1];
    this.originals = new SpanNode[rank + 1];
    this.bases = new long[rank + 1];
    this.ordinals = new long[rank + 1];
    this.entries = new int[rank + 1];
    this.repeats = new long[rank + 1];
    this.indices = new long[rank + 1];
    this.corner = new long[rank];
    enter(0, piece, root, 0, 0);
  }

  private void enter(int level, SpanNode piece, SpanNode original, long base, long ordinal) {
    depth = level;
    pieces[level] = piece;
    originals[level] = original;
    bases[level] = base;
    ordinals[level] = ordinal;
    entries[level] = 0;
    repeats[level] = 0;
    indices[level] = 0;
  }

  @Override
  public boolean load(OrdinalGroup into) {
    if (rank == 0) {
      into.set(0, 1, 0);
      return depth-- == 0;
    }
    while (depth >= 0) {
      SpanNode piece = pieces[depth];
      int entry = entries[depth];
      if (entry == piece.size()) {
        depth--;
        if (depth >= 0) {
          step(1);
        }
        continue;
      }
      if (loadRuns(piece, entry, into)) {
        return true;
      }
    }
    return false;
  }

  /** Loads a group from the present index on, or descends; returns whether a group was loaded. */
  private boolean loadRuns(SpanNode piece, int entry, OrdinalGroup into) {
    SpanNode original = originals[depth];
    long block = piece.block(entry);
    long index = piece.start(entry) + repeats[depth] * piece.stride(entry) + indices[depth];
    long originalIndex = index + origin[depth];
    int originalEntry = original.entryAtOrBefore(originalIndex);
    SpanNode originalDown = original.down(originalEntry);
    SpanNode down = piece.down(entry);
    long base = bases[depth] + index * units[depth];
    long ordinal = ordinals[depth] + original.countBefore(originalIndex, originalEntry);
    long inBlock = sameDown(original, originalEntry, originalIndex, block - indices[depth]);
    if (down.count == units[depth] && originalDown.count == down.count) {
      into.set(base, inBlock * units[depth], ordinal);
      if (inBlock == block) {
        boolean first = entry == 0 && repeats[depth] == 0;
        repeatBlocks(piece, entry, originalEntry, ordinal, into);
        if (first && entries[depth] == piece.size()) {
          rememberRow(into);
        }
      } else {
        step(inBlock);
      }
      return true;
    }
    if (line.find(down, depth + 1, units) && lineIsConsecutive(originalDown)) {
      into.set(base + line.offset, line.length, ordinal + lineOrdinal(originalDown, 0));
      if (block == 1) {
        repeatBlocks(piece, entry, originalEntry, ordinal, into);
      } else {
        into.repeat(inBlock, units[depth], originalDown.count);
        step(inBlock);
      }
      return true;
    }
    if (down == knownRow && originalDown == knownOriginalRow) {
      into.set(base + rowOffset, rowLength, ordinal + rowOrdinal);
      into.repeat(rowRepeats, rowStride, rowOrdinalStride);
      step(1);
      return true;
    }
    enter(depth + 1, down, originalDown, base, ordinal);
    return false;
  }

  /** Caches a row that was a single group, because the next row is often the same. */
  private void rememberRow(OrdinalGroup group) {
    knownRow = pieces[depth];
    knownOriginalRow = originals[depth];
    rowOffset = group.offset - bases[depth];
    rowOrdinal = group.ordinal - ordinals[depth];
    rowLength = group.length;
    rowRepeats = group.repeats;
    rowStride = group.stride;
    rowOrdinalStride = group.ordinalStride;
  }

  /** Returns how many of the next {@code wanted} indices are in the same block of the original. */
  private static long sameDown(SpanNode original, int entry, long index, long wanted) {
    long inside = (index - original.start(entry)) % original.stride(entry);
    return Math.min(wanted, original.block(entry) - inside);
  }

  /** Adds all further repeats of the piece's entry that are in the same entry of the original. */
  private void repeatBlocks(
      SpanNode piece, int entry, int originalEntry, long firstOrdinal, OrdinalGroup into) {
    SpanNode original = originals[depth];
    long stride = piece.stride(entry);
    long left = piece.repeats(entry) - repeats[depth];
    long first = piece.start(entry) + repeats[depth] * stride + origin[depth];
    long lastInEntry = original.end(originalEntry) - 1;
    long number = Math.min(left, (lastInEntry - first) / stride + 1);
    if (number > 1 && stride % original.stride(originalEntry) == 0) {
      long second = ordinals[depth] + original.countBefore(first + stride, originalEntry);
      into.repeat(number, stride * units[depth], second - firstOrdinal);
    } else {
      number = 1;
    }
    repeats[depth] += number;
    if (repeats[depth] == piece.repeats(entry)) {
      repeats[depth] = 0;
      entries[depth]++;
    }
  }

  private void step(long number) {
    SpanNode piece = pieces[depth];
    int entry = entries[depth];
    indices[depth] += number;
    if (indices[depth] == piece.block(entry)) {
      indices[depth] = 0;
      if (++repeats[depth] == piece.repeats(entry)) {
        repeats[depth] = 0;
        entries[depth]++;
      }
    }
  }

  private boolean lineIsConsecutive(SpanNode originalDown) {
    return lineOrdinal(originalDown, line.length - 1) - lineOrdinal(originalDown, 0)
        == line.length - 1;
  }

  /**
   * Returns the position, below the present index, of the line's element number {@code element}.
   */
  private long lineOrdinal(SpanNode originalDown, long element) {
    long left = line.offset + element;
    long ordinal = 0;
    SpanNode node = originalDown;
    for (int d = depth + 1; d < rank; d++) {
      corner[d] = left / units[d];
      left -= corner[d] * units[d];
      long index = corner[d] + origin[d];
      int entry = node.entryAtOrBefore(index);
      ordinal += node.countBefore(index, entry);
      node = node.down(entry);
    }
    return ordinal;
  }
}
