package org.hyperslab.format.space;

/**
 * The runs of a limited regular hyperslab, without its tree. Element offsets are a sum of digits:
 * each dimension adds up to two, the block and the index in it. Digits that continue each other are
 * one; the fastest is the run if its step is 1, and the next one makes the groups.
 */
final class RegularRunCursor extends RunCursor {

  private final long total;
  private long first;

  // The digits, slowest first: how many values each has, and how many elements apart they are.
  private final long[] counts;
  private final long[] steps;
  private final long[] values;

  /** The index after the last digit. */
  private final int end;

  /** The index of the slowest digit; the digits are filled from the end. */
  private int begin;

  private long runLength = 1;
  private long groupRuns = 1;
  private long groupStep = 1;

  /** The offset of the next group. */
  private long at;

  private boolean done;

  /** Creates a cursor over a hyperslab that lies within an extent. */
  RegularRunCursor(RegularHyperslab slab, long[] extent, long firstOrdinal, long count) {
    int rank = extent.length;
    this.counts = new long[2 * rank];
    this.steps = new long[2 * rank];
    this.values = new long[2 * rank];
    this.begin = 2 * rank;
    long unit = 1;
    long elements = 1;
    for (int i = rank - 1; i >= 0; i--) {
      add(slab.block(i), unit);
      add(slab.count(i), slab.stride(i) * unit);
      first += slab.start(i) * unit;
      elements = Extents.multiplyOrOverflow(elements, slab.count(i) * slab.block(i));
      unit *= extent[i];
    }
    this.total = elements;
    this.end = takeGroup();
    seek(firstOrdinal, count);
  }

  private void add(long values, long step) {
    if (values == 1) {
      return;
    }
    if (begin < counts.length && step == counts[begin] * steps[begin]) {
      counts[begin] *= values;
    } else {
      begin--;
      counts[begin] = values;
      steps[begin] = step;
    }
  }

  /** Takes the fastest digits for the runs and the groups, and returns the index after the rest. */
  private int takeGroup() {
    int last = counts.length;
    if (last > begin && steps[last - 1] == 1) {
      runLength = counts[--last];
    }
    groupStep = runLength;
    if (last > begin) {
      groupRuns = counts[--last];
      groupStep = steps[last];
    }
    return last;
  }

  @Override
  long total() {
    return total;
  }

  @Override
  long position(long firstOrdinal) {
    long inGroup = runLength * groupRuns;
    long group = firstOrdinal / inGroup;
    long rest = group;
    at = first;
    for (int i = end - 1; i >= begin; i--) {
      values[i] = rest % counts[i];
      rest /= counts[i];
      at += values[i] * steps[i];
    }
    done = false;
    return firstOrdinal - group * inGroup;
  }

  @Override
  boolean loadRaw() {
    if (done) {
      return false;
    }
    raw.set(at, runLength, groupStep, groupRuns);
    for (int i = end - 1; i >= begin; i--) {
      at += steps[i];
      if (++values[i] < counts[i]) {
        return true;
      }
      values[i] = 0;
      at -= counts[i] * steps[i];
    }
    done = true;
    return true;
  }
}
