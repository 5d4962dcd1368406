package org.hyperslab.format.space;

/**
 * Converts between elements and their positions in the order of transfer: {@link #ordinals} returns
 * the positions of a part in its whole, {@link #pick} the part at given positions. A set of
 * positions is a tree of rank 1.
 *
 * <p>Regular structure stays compressed: rows with equal parts below become one run of positions.
 *
 * <p>Thread rule: confined to one thread.
 */
final class OrdinalSets {

  private final PairMemo memo = new PairMemo();
  private final SpanBudget budget = SpanBudget.standard();

  private static SpanNode range(long count) {
    SpanBuilder builder = new SpanBuilder(1);
    builder.span(0, count, SpanNode.UNIT);
    return builder.build();
  }

  /**
   * Returns the positions in {@code whole} of the elements of {@code part}, which must be a subset
   * of it.
   */
  SpanNode ordinals(SpanNode whole, SpanNode part) {
    if (part == SpanNode.EMPTY || part == whole) {
      return range(part.count);
    }
    SpanNode known = memo.get(whole, part);
    if (known != null) {
      return known;
    }
    SpanBuilder out = new SpanBuilder(1);
    for (int i = 0; i < part.size(); i++) {
      if (part.block(i) == 1 || whole.rank == 1) {
        ordinalsOfBlocks(whole, part, i, out);
      } else {
        for (long k = 0; k < part.repeats(i); k++) {
          long start = part.start(i) + k * part.stride(i);
          ordinalsOfIndices(whole, start, start + part.block(i), part.down(i), out);
        }
      }
    }
    SpanNode result = out.build();
    memo.put(whole, part, result);
    return result;
  }

  /**
   * Handles an entry of blocks each of which lies in one block of the whole: blocks of one index,
   * or on a line.
   */
  private void ordinalsOfBlocks(SpanNode whole, SpanNode part, int entry, SpanBuilder out) {
    long stride = part.stride(entry);
    long done = 0;
    while (done < part.repeats(entry)) {
      long first = part.start(entry) + done * stride;
      int wholeEntry = whole.entryAtOrBefore(first);
      long base = whole.countBefore(first, wholeEntry);
      long repeats = 1;
      long step = 0;
      if (stride % whole.stride(wholeEntry) == 0) {
        long inEntry = (whole.end(wholeEntry) - 1 - first) / stride + 1;
        repeats = Math.min(part.repeats(entry) - done, inEntry);
        step = whole.countBefore(first + stride, wholeEntry) - base;
      }
      SpanNode below = ordinals(whole.down(wholeEntry), part.down(entry));
      if (whole.rank == 1) {
        budget.step();
        out.run(base, step, repeats, part.block(entry), SpanNode.UNIT);
      } else {
        repeat(below, base, step, repeats, out);
      }
      done += repeats;
    }
  }

  private void ordinalsOfIndices(
      SpanNode whole, long from, long to, SpanNode down, SpanBuilder out) {
    long index = from;
    while (index < to) {
      int entry = whole.entryAtOrBefore(index);
      long inside = (index - whole.start(entry)) % whole.stride(entry);
      long number = Math.min(to - index, whole.block(entry) - inside);
      SpanNode wholeDown = whole.down(entry);
      repeat(
          ordinals(wholeDown, down), whole.countBefore(index, entry), wholeDown.count, number, out);
      index += number;
    }
  }

  /** Appends a set of positions {@code number} times, each time shifted by {@code period}. */
  private void repeat(SpanNode set, long base, long period, long number, SpanBuilder out) {
    if (set.isSingleSpan()) {
      budget.step();
      out.run(base + set.start(0), period, number, set.block(0), SpanNode.UNIT);
      return;
    }
    for (long k = 0; k < number; k++) {
      for (int i = 0; i < set.size(); i++) {
        budget.step();
        out.run(
            base + k * period + set.start(i),
            set.stride(i),
            set.repeats(i),
            set.block(i),
            SpanNode.UNIT);
      }
    }
  }

  /** Returns the elements of {@code whole} at the given positions, all below its count. */
  SpanNode pick(SpanNode whole, SpanNode positions) {
    if (positions == SpanNode.EMPTY || positions.count == whole.count) {
      return positions == SpanNode.EMPTY ? positions : whole;
    }
    SpanNode known = memo.get(whole, positions);
    if (known != null) {
      return known;
    }
    SpanBuilder out = new SpanBuilder(whole.rank);
    if (whole.rank == 1) {
      for (int i = 0; i < positions.size(); i++) {
        pickOnLine(whole, positions, i, out);
      }
    } else {
      pickRows(whole, positions, out);
    }
    SpanNode result = out.build();
    memo.put(whole, positions, result);
    return result;
  }

  private void pickRows(SpanNode whole, SpanNode positions, SpanBuilder out) {
    long position = positions.nextSelected(0);
    while (position >= 0) {
      budget.step();
      int entry = whole.entryOfOrdinal(position);
      SpanNode down = whole.down(entry);
      long first = whole.before()[entry];
      long index = (position - first) / down.count;
      long low = first + index * down.count;
      long end = low + down.count;
      SpanNode row = new SpanWindow(0, low, end).cut(positions, 0);
      if (row.count == down.count) {
        int run = positions.entryAtOrBefore(low);
        long inside = (low - positions.start(run)) % positions.stride(run);
        long rows = (positions.block(run) - inside) / down.count;
        long left = whole.repeats(entry) * whole.block(entry) - index;
        long number = Math.min(rows, left);
        indices(whole, entry, index, number, down, out);
        end = low + number * down.count;
      } else {
        indices(whole, entry, index, 1, pick(down, row), out);
      }
      position = positions.nextSelected(end);
    }
  }

  private void pickOnLine(SpanNode whole, SpanNode positions, int run, SpanBuilder out) {
    long stride = positions.stride(run);
    long block = positions.block(run);
    long done = 0;
    while (done < positions.repeats(run)) {
      budget.step();
      long position = positions.start(run) + done * stride;
      int entry = whole.entryOfOrdinal(position);
      long index = position - whole.before()[entry];
      long inBlock = index % whole.block(entry);
      boolean keepsPlace =
          inBlock + block <= whole.block(entry)
              && (stride % whole.block(entry) == 0 || whole.repeats(entry) == 1);
      if (!keepsPlace) {
        pickInterval(whole, position, block, out);
        done++;
        continue;
      }
      long lastStart = whole.before()[entry + 1] - block;
      long repeats = Math.min(positions.repeats(run) - done, (lastStart - position) / stride + 1);
      long step =
          whole.repeats(entry) == 1 ? stride : stride / whole.block(entry) * whole.stride(entry);
      long start = whole.start(entry) + index / whole.block(entry) * whole.stride(entry) + inBlock;
      out.run(start, step, repeats, block, SpanNode.UNIT);
      done += repeats;
    }
  }

  private void pickInterval(SpanNode whole, long from, long length, SpanBuilder out) {
    long position = from;
    while (position < from + length) {
      budget.step();
      int entry = whole.entryOfOrdinal(position);
      long number = Math.min(from + length, whole.before()[entry + 1]) - position;
      indices(whole, entry, position - whole.before()[entry], number, SpanNode.UNIT, out);
      position += number;
    }
  }

  /** Appends an entry's selected indices from the {@code first}-th on, with another node below. */
  private static void indices(
      SpanNode whole, int entry, long first, long number, SpanNode down, SpanBuilder out) {
    long block = whole.block(entry);
    long stride = whole.stride(entry);
    long left = number;
    long repeat = first / block;
    long inBlock = first % block;
    long start = whole.start(entry) + repeat * stride;
    if (inBlock > 0) {
      long head = Math.min(left, block - inBlock);
      out.span(start + inBlock, start + inBlock + head, down);
      left -= head;
      start += stride;
    }
    long blocks = left / block;
    out.run(start, stride, blocks, block, down);
    left -= blocks * block;
    start += blocks * stride;
    out.span(start, start + left, down);
  }
}
