package org.hyperslab.format.space;

/**
 * A position in one node during a sweep: the present span, whose beginning may have been cut off,
 * and the run that it belongs to.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanSide {

  /** The first index of the present span that has not been processed. */
  long low;

  /** The end, exclusive, of the present span. */
  long end;

  /** The distance to the next block of the run. */
  long stride;

  /** The selection below the present span. */
  SpanNode down;

  /** Whether there is a present span. */
  boolean live;

  private SpanNode node;
  private int entry;
  private long repeat;
  private long repeats;
  private long block;

  /** Moves to the first span of a node, which must not be empty. */
  void open(SpanNode opened) {
    node = opened;
    load(0);
  }

  private void load(int newEntry) {
    entry = newEntry;
    live = newEntry < node.size();
    if (live) {
      low = node.start(newEntry);
      block = node.block(newEntry);
      end = low + block;
      stride = node.stride(newEntry);
      repeat = 0;
      repeats = node.repeats(newEntry);
      down = node.down(newEntry);
    } else {
      node = null;
      down = null;
    }
  }

  /** Returns the number of blocks of the run, from the present one on. */
  long repeatsLeft() {
    return repeats - repeat;
  }

  private boolean isWhole() {
    return end - low == block;
  }

  /** Skips {@code number} blocks of the run, at most {@link #repeatsLeft()}. */
  void skip(long number) {
    repeat += number;
    if (repeat < repeats) {
      long start = node.start(entry) + repeat * stride;
      low = start;
      end = start + block;
    } else {
      load(entry + 1);
    }
  }

  /**
   * Marks all indices below an index as processed; the index must be in the present span or at its
   * end.
   */
  void moveTo(long index) {
    if (index >= end) {
      skip(1);
    } else {
      low = index;
    }
  }

  /**
   * Skips all spans that end at or before a limit, and passes them to {@code out} if it is not
   * null.
   */
  void moveBefore(long limit, SpanBuilder out) {
    while (live && end <= limit) {
      long number = isWhole() ? Math.min((limit - end) / stride + 1, repeatsLeft()) : 1;
      if (out != null) {
        out.run(low, stride, number, end - low, down);
      }
      skip(number);
    }
  }

  /**
   * Returns whether both runs repeat several times at the same distance, and one period from the
   * present position on contains the present spans of both.
   */
  boolean repeatsInStepWith(SpanSide that) {
    return stride == that.stride
        && repeatsLeft() > 1
        && that.repeatsLeft() > 1
        && Math.max(end, that.end) - Math.min(low, that.low) <= stride
        && isWhole()
        && that.isWhole();
  }

  /** Returns the number of whole blocks of this run inside the present span of another side. */
  long repeatsInside(SpanSide outer) {
    return isWhole() && low >= outer.low && end <= outer.end
        ? Math.min((outer.end - end) / stride + 1, repeatsLeft())
        : 0;
  }
}
