package org.hyperslab.format.space;

/**
 * Computes a binary set operation on span trees: a sweep over two nodes at a time, with the results
 * of pairs of nodes cached for the life of this object.
 *
 * <p>If one span covers many repeats of the other side's run, or if two runs have the same stride,
 * the repeats are processed at once, so that the cost depends on the number of entries rather than
 * that of blocks.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanAlgebra {

  /** The parts of two sets that a result keeps. */
  enum Operation {
    /** Indices in either operand. */
    OR(true, true, true),
    /** Indices in both operands. */
    AND(false, true, false),
    /** Indices in exactly one operand. */
    XOR(true, false, true),
    /** Indices in the first operand and not in the second; HDF5's NOTB. */
    AND_NOT(true, false, false);

    private final boolean keepsFirst;
    private final boolean keepsBoth;
    private final boolean keepsSecond;

    Operation(boolean keepsFirst, boolean keepsBoth, boolean keepsSecond) {
      this.keepsFirst = keepsFirst;
      this.keepsBoth = keepsBoth;
      this.keepsSecond = keepsSecond;
    }
  }

  private final Operation operation;
  private final PairMemo memo = new PairMemo();
  private final Frame[] frames = new Frame[Dataspace.MAX_RANK + 1];
  private final SpanBudget budget;

  SpanAlgebra(Operation operation, SpanBudget budget) {
    this.operation = operation;
    this.budget = budget;
  }

  /** Returns the result for two nodes of equal rank, either of which may be empty. */
  static SpanNode apply(Operation operation, SpanNode first, SpanNode second) {
    return new SpanAlgebra(operation, SpanBudget.standard()).combine(first, second);
  }

  /** Returns the result for two nodes of equal rank, either of which may be empty. */
  SpanNode combine(SpanNode first, SpanNode second) {
    if (first == second) {
      return operation.keepsBoth ? first : SpanNode.EMPTY;
    }
    if (first == SpanNode.EMPTY) {
      return operation.keepsSecond ? second : SpanNode.EMPTY;
    }
    if (second == SpanNode.EMPTY) {
      return operation.keepsFirst ? first : SpanNode.EMPTY;
    }
    if (!operation.keepsSecond && disjoint(first.bounds, second.bounds)) {
      return operation.keepsFirst ? first : SpanNode.EMPTY;
    }
    SpanNode known = memo.get(first, second);
    if (known != null) {
      return known;
    }
    SpanNode result = sweep(first, second);
    budget.node(result);
    memo.put(first, second, result);
    return result;
  }

  private static boolean disjoint(long[] a, long[] b) {
    for (int i = 0; i < a.length; i += 2) {
      if (a[i + 1] <= b[i] || b[i + 1] <= a[i]) {
        return true;
      }
    }
    return false;
  }

  private SpanNode sweep(SpanNode first, SpanNode second) {
    int rank = first.rank;
    if (frames[rank] == null) {
      frames[rank] = new Frame(rank);
    }
    Frame frame = frames[rank];
    SpanSide a = frame.first;
    SpanSide b = frame.second;
    if (operation.keepsFirst) {
      frame.out.expect(first.size() + (operation.keepsSecond ? second.size() : 0));
    }
    a.open(first);
    b.open(second);
    while (a.live && b.live) {
      budget.step();
      if (a.end <= b.low) {
        a.moveBefore(b.low, operation.keepsFirst ? frame.out : null);
      } else if (b.end <= a.low) {
        b.moveBefore(a.low, operation.keepsSecond ? frame.out : null);
      } else {
        overlap(frame);
      }
    }
    a.moveBefore(Long.MAX_VALUE, operation.keepsFirst ? frame.out : null);
    b.moveBefore(Long.MAX_VALUE, operation.keepsSecond ? frame.out : null);
    return frame.out.build();
  }

  private void overlap(Frame frame) {
    SpanSide a = frame.first;
    SpanSide b = frame.second;
    SpanNode both = combine(a.down, b.down);
    SpanNode keptFirst = operation.keepsFirst ? a.down : SpanNode.EMPTY;
    SpanNode keptSecond = operation.keepsSecond ? b.down : SpanNode.EMPTY;
    if (inStep(frame, both, keptFirst, keptSecond)
        || inside(a, b, both, keptSecond, frame.out)
        || inside(b, a, both, keptFirst, frame.out)) {
      return;
    }
    long low = Math.max(a.low, b.low);
    long end = Math.min(a.end, b.end);
    frame.out.span(a.low, low, keptFirst);
    frame.out.span(b.low, low, keptSecond);
    frame.out.span(low, end, both);
    a.moveTo(end);
    b.moveTo(end);
  }

  /**
   * Processes the repeats of two runs of equal stride at once, if the result for one period is a
   * single span: the part before both meet, the part where they do, and the part after.
   */
  private static boolean inStep(
      Frame frame, SpanNode both, SpanNode keptFirst, SpanNode keptSecond) {
    SpanSide a = frame.first;
    SpanSide b = frame.second;
    if (!a.repeatsInStepWith(b)) {
      return false;
    }
    long meet = Math.max(a.low, b.low);
    long part = Math.min(a.end, b.end);
    Period period = frame.period;
    period.clear();
    boolean isOneSpan =
        period.add(Math.min(a.low, b.low), meet, a.low < b.low ? keptFirst : keptSecond)
            && period.add(meet, part, both)
            && period.add(part, Math.max(a.end, b.end), a.end > b.end ? keptFirst : keptSecond);
    if (isOneSpan) {
      long repeats = repeatsInStep(a, b);
      frame.out.run(period.low, a.stride, repeats, period.end - period.low, period.down);
      a.skip(repeats);
      b.skip(repeats);
    }
    return isOneSpan;
  }

  /**
   * Returns the number of periods that contain only one block of each run. Where the shorter side's
   * run ends, its next entry may begin within the longer side's block; that period is left to the
   * sweep.
   */
  private static long repeatsInStep(SpanSide a, SpanSide b) {
    long repeats = Math.min(a.repeatsLeft(), b.repeatsLeft());
    boolean cut =
        (a.end < b.end && repeats == a.repeatsLeft())
            || (b.end < a.end && repeats == b.repeatsLeft());
    return cut ? repeats - 1 : repeats;
  }

  /**
   * Processes the repeats of {@code inner} inside the present span of {@code outer} at once, if
   * there are several and the result is a run; {@code around} is the result for the gaps between
   * them.
   */
  private static boolean inside(
      SpanSide inner, SpanSide outer, SpanNode both, SpanNode around, SpanBuilder out) {
    long repeats = inner.repeatsInside(outer);
    if (repeats < 2) {
      return false;
    }
    long last = inner.low + (repeats - 1) * inner.stride;
    long block = inner.end - inner.low;
    if (both == around) {
      inner.skip(repeats);
      return true;
    }
    if (around == SpanNode.EMPTY) {
      out.run(inner.low, inner.stride, repeats, block, both);
    } else if (both == SpanNode.EMPTY) {
      out.span(outer.low, inner.low, around);
      out.run(inner.end, inner.stride, repeats - 1, inner.stride - block, around);
    } else {
      return false;
    }
    inner.skip(repeats);
    outer.moveTo(last + block);
    return true;
  }

  /** The working state of one level of the recursion, created once per rank. */
  private static final class Frame {
    private final SpanSide first = new SpanSide();
    private final SpanSide second = new SpanSide();
    private final Period period = new Period();
    private final SpanBuilder out;

    Frame(int rank) {
      this.out = new SpanBuilder(rank);
    }
  }

  /** The result for one period of two runs, as long as that is at most one span. */
  private static final class Period {
    private long low;
    private long end;
    private SpanNode down;

    void clear() {
      low = 0;
      end = 0;
      down = SpanNode.EMPTY;
    }

    /**
     * Adds a part after the previous ones; returns false if the period is then more than one span.
     */
    boolean add(long from, long to, SpanNode part) {
      if (from == to || part == SpanNode.EMPTY) {
        return true;
      }
      if (down == SpanNode.EMPTY) {
        low = from;
        down = part;
      } else if (part != down || from != end) {
        return false;
      }
      end = to;
      return true;
    }
  }
}
