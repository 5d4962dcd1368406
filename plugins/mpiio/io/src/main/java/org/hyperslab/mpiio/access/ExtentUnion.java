package org.hyperslab.mpiio.access;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Computes the union of several extent lists in one sweep over the file. Runs of different lists
 * that together fill their common stride, such as the rows of a block-distributed array, are joined
 * as runs, so the cost depends on the number of runs and not of extents.
 */
final class ExtentUnion {

  /**
   * The number of failed attempts to join runs after which a sweep continues with single extents
   * for some time.
   */
  private static final int PATIENCE = 4;

  private static final int PAUSE = 64;

  /** The rest of a run: {@code count} extents from {@code offset} on. */
  private static final class Rest {
    final ExtentRuns list;
    int run;
    long offset;
    long length;
    long stride;
    long count;

    Rest(ExtentRuns list) {
      this.list = list;
      load();
    }

    private void load() {
      offset = list.runOffset(run);
      length = list.runLength(run);
      stride = list.runStride(run);
      count = list.runCount(run);
    }

    /** Skips the first {@code extents}; returns false at the end of the list. */
    boolean advance(long extents) {
      count -= extents;
      offset += extents * stride;
      if (count == 0) {
        if (++run == list.runs()) {
          return false;
        }
        load();
      }
      return true;
    }
  }

  private final PriorityQueue<Rest> queue =
      new PriorityQueue<>(Comparator.comparingLong((Rest rest) -> rest.offset));
  private final ExtentRuns.Builder union = ExtentRuns.builder();
  private final List<Rest> group = new ArrayList<>();
  private long end;
  private int failures;
  private int pause;

  private ExtentUnion(List<ExtentRuns> lists) {
    for (ExtentRuns list : lists) {
      if (!list.isEmpty()) {
        queue.add(new Rest(list));
      }
    }
  }

  static ExtentRuns of(List<ExtentRuns> lists) {
    return new ExtentUnion(lists).sweep();
  }

  private ExtentRuns sweep() {
    while (!queue.isEmpty()) {
      Rest first = queue.poll();
      if (queue.isEmpty() && first.offset >= end) {
        addRest(first);
        break;
      }
      if (pause > 0 || first.count == 1 || !joined(first)) {
        pause = Math.max(0, pause - 1);
        add(first.offset, first.length);
        if (first.advance(1)) {
          queue.add(first);
        }
      }
    }
    return union.build();
  }

  private void add(long offset, long length) {
    long from = Math.max(offset, end);
    long to = offset + length;
    if (to > from) {
      union.add(from, to - from);
      end = to;
    }
  }

  /** Adds the rest of the last remaining list. */
  private void addRest(Rest rest) {
    do {
      union.addRun(rest.offset, rest.length, rest.stride, rest.count);
    } while (rest.advance(rest.count));
  }

  /**
   * Adds all whole strides that {@code first} and the extents after it fill without a gap. If there
   * is none, returns false and changes nothing, but {@code first} stays out of the queue.
   */
  private boolean joined(Rest first) {
    long period = first.stride;
    long periodEnd = first.offset + period;
    long at = first.offset + first.length;
    long count = first.count;
    group.clear();
    while (at < periodEnd && !queue.isEmpty()) {
      Rest next = queue.peek();
      if (next.offset != at || (next.count > 1 && next.stride != period)) {
        break;
      }
      group.add(queue.poll());
      at += next.length;
      count = Math.min(count, next.count);
    }
    boolean filled = at == periodEnd && count > 1 && first.offset >= end;
    if (filled) {
      union.add(first.offset, period * count);
      end = first.offset + period * count;
      group.add(first);
    } else if (++failures % PATIENCE == 0) {
      pause = PAUSE;
    }
    for (Rest rest : group) {
      if (!filled || rest.advance(count)) {
        queue.add(rest);
      }
    }
    return filled;
  }
}
