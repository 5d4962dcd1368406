package org.hyperslab.vol.query;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.space.Selection;

/**
 * Collects the places of elements as runs of an extent in row-major order.
 *
 * <p>Thread rule: confined to one thread, but {@link #selection} takes those of several threads
 * that have ended.
 */
final class FoundRuns {

  /** The most separate runs, for which they take at most a quarter of the heap. */
  private static final long MOST = Math.min(1 << 26, Runtime.getRuntime().maxMemory() / 256);

  private final long[] extent;
  private final AtomicLong total;

  /** The offset and the length of each run. */
  private long[] runs = new long[64];

  private int size;

  /**
   * Creates a collection.
   *
   * @param extent the extent
   * @param total counts the runs of all threads
   */
  FoundRuns(long[] extent, AtomicLong total) {
    this.extent = extent;
    this.total = total;
  }

  /** Adds all elements of a box. */
  void add(PieceGrid.Piece box) {
    rows(box, (offset, _, length) -> add(offset, length));
  }

  /** Adds the marked elements of a box, whose elements have a bit each in row-major order. */
  void add(PieceGrid.Piece box, long[] marks) {
    rows(
        box,
        (offset, first, length) -> {
          long end = first + length;
          long at = nextSet(marks, first, end);
          while (at < end) {
            long stop = nextClear(marks, at, end);
            add(offset + at - first, stop - at);
            at = nextSet(marks, stop, end);
          }
        });
  }

  /** Takes the rows of a box. */
  private interface RowUse {
    /**
     * Takes a row.
     *
     * @param offset its offset in the extent
     * @param first its offset in the box
     * @param length its length
     */
    void use(long offset, long first, long length);
  }

  private void rows(PieceGrid.Piece box, RowUse use) {
    int rank = extent.length;
    long length = box.count()[rank - 1];
    int rowDimension = rank - 1;
    while (rowDimension > 0 && box.count()[rowDimension] == extent[rowDimension]) {
      rowDimension--; // whole rows of the extent follow each other
      length *= box.count()[rowDimension];
    }
    long[] index = box.start().clone();
    long first = 0;
    while (true) {
      long offset = 0;
      for (int d = 0; d < rank; d++) {
        offset = offset * extent[d] + index[d];
      }
      use.use(offset, first, length);
      first += length;
      int d = rowDimension - 1;
      while (d >= 0 && ++index[d] == box.start()[d] + box.count()[d]) {
        index[d] = box.start()[d];
        d--;
      }
      if (d < 0) {
        return;
      }
    }
  }

  private static long nextSet(long[] marks, long from, long end) {
    return nextSet(marks, from, end, 0);
  }

  private static long nextClear(long[] marks, long from, long end) {
    return nextSet(marks, from, end, -1);
  }

  /** Returns the first bit from an index on that differs from those of {@code skip}. */
  private static long nextSet(long[] marks, long from, long end, long skip) {
    long at = from;
    while (at < end) {
      long word = (marks[(int) (at / Long.SIZE)] ^ skip) >>> at;
      if (word != 0) {
        return Math.min(end, at + Long.numberOfTrailingZeros(word));
      }
      at = (at / Long.SIZE + 1) * Long.SIZE;
    }
    return end;
  }

  private void add(long offset, long length) {
    if (size > 0 && runs[size - 2] + runs[size - 1] == offset) {
      runs[size - 1] += length;
      return;
    }
    if (total.incrementAndGet() > MOST) {
      throw new LimitExceededException(
          "places of elements that meet a condition: actual=more than "
              + MOST
              + " separate runs, expected=at most so many; count them, or ask about a smaller"
              + " dataset");
    }
    if (size == runs.length) {
      runs = Arrays.copyOf(runs, 2 * size);
    }
    runs[size] = offset;
    runs[size + 1] = length;
    size += 2;
  }

  /** Returns the elements that several threads have found. */
  static Selection selection(FoundRuns[] all, long[] extent) {
    int length = Arrays.stream(all).mapToInt(found -> found.size).sum();
    long[] joined = new long[length];
    int at = 0;
    for (FoundRuns found : all) {
      System.arraycopy(found.runs, 0, joined, at, found.size);
      at += found.size;
      found.runs = new long[0];
    }
    return Selection.ofRuns(united(sorted(joined)), extent);
  }

  /** Sorts pairs by their first number; merges the ascending sequences in them. */
  private static long[] sorted(long[] pairs) {
    long[] from = pairs;
    long[] to = null;
    while (true) {
      int sequences = 0;
      int at = 0;
      while (at < from.length) {
        int middle = ascendingEnd(from, at);
        int end = middle == from.length ? middle : ascendingEnd(from, middle);
        if (at == 0 && middle == from.length) {
          return from;
        }
        to = to == null ? new long[pairs.length] : to;
        merge(from, at, middle, end, to);
        at = end;
        sequences++;
      }
      long[] other = from;
      from = to == null ? from : to;
      to = other;
      if (sequences <= 1) {
        return from;
      }
    }
  }

  private static int ascendingEnd(long[] pairs, int start) {
    int at = start + 2;
    while (at < pairs.length && pairs[at] > pairs[at - 2]) {
      at += 2;
    }
    return at;
  }

  private static void merge(long[] from, int start, int middle, int end, long[] to) {
    int left = start;
    int right = middle;
    for (int at = start; at < end; at += 2) {
      boolean takesLeft = right == end || left < middle && from[left] < from[right];
      int source = takesLeft ? left : right;
      to[at] = from[source];
      to[at + 1] = from[source + 1];
      if (takesLeft) {
        left += 2;
      } else {
        right += 2;
      }
    }
  }

  /** Unites runs that touch. */
  private static long[] united(long[] sorted) {
    int size = 0;
    for (int i = 0; i < sorted.length; i += 2) {
      if (size > 0 && sorted[size - 2] + sorted[size - 1] == sorted[i]) {
        sorted[size - 1] += sorted[i + 1];
      } else {
        sorted[size] = sorted[i];
        sorted[size + 1] = sorted[i + 1];
        size += 2;
      }
    }
    return size == sorted.length ? sorted : Arrays.copyOf(sorted, size);
  }
}
