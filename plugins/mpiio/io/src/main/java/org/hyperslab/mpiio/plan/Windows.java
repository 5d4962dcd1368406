package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * The cycles of one aggregator: window i is the file range {@code cuts[i] .. cuts[i + 1]} of its
 * territory. Windows are cut such that all ranks' bytes in one window fit the aggregator's buffer,
 * with any overlaps and gaps.
 */
final class Windows {

  private Windows() {}

  /**
   * Cuts an aggregator's work.
   *
   * @param lists the extents of each rank there
   * @param bytes the greatest number of bytes of all ranks in a window; exceeded only if more ranks
   *     than that share one byte
   * @param unit the unit of which cuts are multiples if possible
   * @return ascending file offsets; empty if there is no work
   */
  static long[] cut(List<ExtentRuns> lists, long bytes, long unit) {
    return cut(lists, ExtentRuns.of(0, Long.MAX_VALUE), bytes, unit);
  }

  /**
   * Cuts the work in one extent of the file as {@link #cut(List, long, long)} does.
   *
   * @param extent the extent; bytes of lists outside it are ignored
   */
  static long[] cut(List<ExtentRuns> lists, ExtentRuns extent, long bytes, long unit) {
    long end = 0;
    long at = Long.MAX_VALUE;
    for (ExtentRuns list : lists) {
      long before = list.packedAt(extent.first());
      long within = list.packedAt(extent.endExclusive()) - before;
      if (within > 0) {
        at = Math.min(at, list.offsetAt(before));
        end = Math.max(end, list.offsetAt(before + within - 1) + 1);
      }
    }
    if (at == Long.MAX_VALUE) {
      return new long[0];
    }
    long[] cuts = new long[16];
    int count = 0;
    while (at < end) {
      if (count + 1 == cuts.length) {
        cuts = Arrays.copyOf(cuts, 2 * count);
      }
      cuts[count++] = at;
      at = next(lists, at, end, bytes, unit);
    }
    cuts[count] = end;
    return Arrays.copyOf(cuts, count + 1);
  }

  /** Returns the cut after {@code from}, by exponential search and bisection. */
  private static long next(List<ExtentRuns> lists, long from, long end, long bytes, long unit) {
    long before = bytesBefore(lists, from);
    long fits = from;
    long tooFar = Long.MAX_VALUE;
    long enough = bytes - bytes / 8;
    long probe = end - from <= bytes ? end : from + bytes;
    while (fits < end && tooFar - fits > 1) {
      long held = bytesBefore(lists, probe) - before;
      if (held <= bytes) {
        fits = probe;
        if (held >= enough) {
          break;
        }
      } else {
        tooFar = probe;
      }
      long ahead = fits - from > end - fits ? end : Math.max(fits + 1, fits + (fits - from));
      probe = tooFar == Long.MAX_VALUE ? Math.min(end, ahead) : fits + (tooFar - fits) / 2;
    }
    long rounded = fits == end ? end : fits - fits % unit;
    return rounded > from ? rounded : Math.max(fits, from + 1);
  }

  private static long bytesBefore(List<ExtentRuns> lists, long offset) {
    long sum = 0;
    for (ExtentRuns list : lists) {
      sum += list.packedAt(offset);
    }
    return sum;
  }
}
