package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * The part of a rank's extents that passes through one aggregator, and the packed positions of its
 * bytes in the whole.
 *
 * <p>Range i holds packed bytes {@code starts[i] .. starts[i + 1]} of the portion, which are packed
 * bytes from {@code wholeStarts[i]} on of the rank's access; {@code starts} has one entry more.
 */
public final class AggregatorPortion {

  private static final AggregatorPortion NOTHING =
      new AggregatorPortion(ExtentRuns.empty(), new long[] {0}, new long[0]);

  private final ExtentRuns extents;
  private final long[] starts;
  private final long[] wholeStarts;

  private AggregatorPortion(ExtentRuns extents, long[] starts, long[] wholeStarts) {
    this.extents = extents;
    this.starts = starts;
    this.wholeStarts = wholeStarts;
  }

  static AggregatorPortion nothing() {
    return NOTHING;
  }

  /** Returns all of a list. */
  static AggregatorPortion all(ExtentRuns list) {
    return list.isEmpty()
        ? NOTHING
        : new AggregatorPortion(list, new long[] {0, list.totalBytes()}, new long[] {0});
  }

  /** Returns packed bytes {@code from .. toExclusive} of a list. */
  static AggregatorPortion range(ExtentRuns list, long from, long toExclusive) {
    return from >= toExclusive
        ? NOTHING
        : new AggregatorPortion(
            ExtentRuns.copyOf(list, from, toExclusive),
            new long[] {0, toExclusive - from},
            new long[] {from});
  }

  /** Returns the bytes of a list that lie in {@code territory}. */
  static AggregatorPortion of(ExtentRuns list, ExtentRuns territory) {
    if (territory.count() <= 1) {
      return range(list, list.packedAt(territory.first()), list.packedAt(territory.endExclusive()));
    }
    ExtentRuns.Builder extents = ExtentRuns.builder();
    long[] starts = new long[16];
    long[] wholeStarts = new long[16];
    int ranges = 0;
    ExtentList.Cursor cursor = territory.cursor();
    cursor.seekOffset(list.first());
    while (cursor.next() && cursor.offset() < list.endExclusive()) {
      long from = list.packedAt(cursor.offset());
      long to = list.packedAt(cursor.offset() + cursor.length());
      if (from == to) {
        continue;
      }
      addTo(extents, ExtentRuns.copyOf(list, from, to));
      if (ranges + 1 == starts.length) {
        starts = Arrays.copyOf(starts, 2 * starts.length);
        wholeStarts = Arrays.copyOf(wholeStarts, 2 * wholeStarts.length);
      }
      wholeStarts[ranges] = from;
      starts[ranges + 1] = starts[ranges] + to - from;
      ranges++;
    }
    return new AggregatorPortion(
        extents.build(), Arrays.copyOf(starts, ranges + 1), Arrays.copyOf(wholeStarts, ranges));
  }

  private static void addTo(ExtentRuns.Builder builder, ExtentRuns more) {
    for (int run = 0; run < more.runs(); run++) {
      builder.addRun(
          more.runOffset(run), more.runLength(run), more.runStride(run), more.runCount(run));
    }
  }

  /**
   * Returns packed bytes {@code from .. toExclusive} of the portion, as a portion of the same
   * whole.
   */
  AggregatorPortion part(long from, long toExclusive) {
    if (from == 0 && toExclusive == totalBytes()) {
      return this;
    }
    int first = rangeAt(from);
    int last = rangeAt(toExclusive - 1);
    long[] newStarts = new long[last - first + 2];
    long[] newWholeStarts = new long[last - first + 1];
    for (int i = first; i <= last; i++) {
      newStarts[i - first] = Math.max(starts[i], from) - from;
      newWholeStarts[i - first] = wholeStarts[i] + Math.max(0, from - starts[i]);
    }
    newStarts[last - first + 1] = toExclusive - from;
    return new AggregatorPortion(
        ExtentRuns.copyOf(extents, from, toExclusive), newStarts, newWholeStarts);
  }

  /** {@return the extents, in file order} */
  public ExtentRuns extents() {
    return extents;
  }

  long totalBytes() {
    return extents.totalBytes();
  }

  /** Returns the packed position in the whole of the portion's byte {@code packed}. */
  long wholePosition(long packed) {
    int range = rangeAt(packed);
    return wholeStarts[range] + packed - starts[range];
  }

  /**
   * Returns how many of the portion's bytes from {@code packed} on are consecutive in the whole.
   */
  long consecutiveFrom(long packed) {
    return starts[rangeAt(packed) + 1] - packed;
  }

  private int rangeAt(long packed) {
    int found = Arrays.binarySearch(starts, packed);
    return found >= 0 ? found : -found - 2;
  }
}
