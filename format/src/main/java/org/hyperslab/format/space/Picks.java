package org.hyperslab.format.space;

import org.hyperslab.error.InvalidUseException;

/**
 * Builds the span trees of elements that are picked one by one: by a mask, or by a list of indices
 * along a dimension.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Picks {

  private final boolean[] mask;
  private final long[] extent;
  private final SpanBuilder[] builders;

  private Picks(boolean[] mask, long[] extent) {
    this.mask = mask;
    this.extent = extent;
    this.builders = new SpanBuilder[extent.length];
    for (int i = 0; i < extent.length; i++) {
      builders[i] = new SpanBuilder(extent.length - i);
    }
  }

  /** Returns the elements of an extent of at least one dimension that a mask marks. */
  static SpanNode ofMask(boolean[] mask, long[] extent) {
    long volume = Extents.volume(extent);
    if (volume != mask.length) {
      throw new InvalidUseException(
          "mask: actual=" + mask.length + " elements, expected=" + volume);
    }
    return volume == 0 ? SpanNode.EMPTY : new Picks(mask, extent).node(0, 0);
  }

  private SpanNode node(int dimension, int first) {
    SpanBuilder builder = builders[dimension];
    int length = (int) extent[dimension];
    if (dimension == extent.length - 1) {
      addRuns(builder, first, length);
      return builder.build();
    }
    int below = 1;
    for (int d = dimension + 1; d < extent.length; d++) {
      below *= (int) extent[d];
    }
    for (int i = 0; i < length; i++) {
      builder.span(i, i + 1, node(dimension + 1, first + i * below));
    }
    return builder.build();
  }

  private void addRuns(SpanBuilder builder, int first, int length) {
    for (int i = 0; i < length; i++) {
      int low = i;
      while (i < length && mask[first + i]) {
        i++;
      }
      builder.span(low, i, SpanNode.UNIT);
    }
  }

  /** Returns the elements whose index in a dimension is one of some ascending ones. */
  static SpanNode along(int dimension, long[] ascending, long[] extent) {
    if (Extents.volume(extent) == 0) {
      return SpanNode.EMPTY;
    }
    SpanNode node = SpanNode.UNIT;
    for (int d = extent.length - 1; d >= 0; d--) {
      SpanBuilder builder = new SpanBuilder(extent.length - d);
      if (d == dimension) {
        builder.expect(ascending.length);
        long before = -1;
        for (long index : ascending) {
          if (index <= before || index >= extent[d]) {
            throw new InvalidUseException(
                "index: actual="
                    + index
                    + (before < 0 ? "" : " after " + before)
                    + ", expected=ascending, below "
                    + extent[d]
                    + ", at=dimension "
                    + d);
          }
          builder.span(index, index + 1, node);
          before = index;
        }
      } else {
        builder.span(0, extent[d], node);
      }
      node = builder.build();
      if (node == SpanNode.EMPTY) {
        return SpanNode.EMPTY;
      }
    }
    return node;
  }

  /** Returns the elements of runs; see {@link Selection#ofRuns}. */
  static SpanNode ofRuns(long[] runs, long[] extent) {
    return Runs.of(runs, extent);
  }

  /** Builds the span tree of runs of an extent whose elements are counted in row-major order. */
  private static final class Runs {

    private final long[] runs;
    private final SpanBuilder[] builders;
    private final long[] lengths;

    /** The number of elements below an index of each dimension. */
    private final long[] below;

    /** All elements below an index of each dimension. */
    private final SpanNode[] whole;

    /** The run that is at its turn, as an index of {@link #runs}. */
    private int next;

    /** The first element of that run which has not been added. */
    private long from;

    private Runs(long[] runs, long[] extent) {
      this.runs = runs;
      this.lengths = extent;
      this.builders = new SpanBuilder[extent.length];
      this.below = new long[extent.length];
      this.whole = new SpanNode[extent.length];
      long volume = 1;
      SpanNode node = SpanNode.UNIT;
      for (int d = extent.length - 1; d >= 0; d--) {
        builders[d] = new SpanBuilder(extent.length - d);
        below[d] = volume;
        whole[d] = node;
        volume *= extent[d];
        SpanBuilder all = new SpanBuilder(extent.length - d);
        all.span(0, extent[d], node);
        node = all.build();
      }
      this.from = runs[0];
    }

    static SpanNode of(long[] runs, long[] extent) {
      require(runs, Extents.volume(extent));
      if (runs.length == 0) {
        return SpanNode.EMPTY;
      }
      return new Runs(runs, extent).node(0, 0);
    }

    private static void require(long[] runs, long volume) {
      long end = 0;
      for (int i = 0; i < runs.length - 1; i += 2) {
        if (runs[i] < end || runs[i + 1] < 1 || runs[i + 1] > volume - runs[i]) {
          throw new InvalidUseException(
              "run: actual="
                  + runs[i + 1]
                  + " elements from "
                  + runs[i]
                  + " on, expected=at least 1, from "
                  + end
                  + " on, below "
                  + volume);
        }
        end = runs[i] + runs[i + 1];
      }
      if (runs.length % 2 != 0) {
        throw new InvalidUseException("runs: actual=" + runs.length + " numbers, expected=pairs");
      }
    }

    private long end() {
      return runs[next] + runs[next + 1];
    }

    /** Takes note that elements before an offset have been added. */
    private void reach(long offset) {
      from = offset;
      if (from >= end()) {
        next += 2;
        from = next < runs.length ? runs[next] : Long.MAX_VALUE;
      }
    }

    private SpanNode node(int dimension, long base) {
      SpanBuilder builder = builders[dimension];
      long each = below[dimension];
      long end = base + lengths[dimension] * each;
      while (from < end) {
        long index = (from - base) / each;
        long start = base + index * each;
        long indices = from == start ? (Math.min(end(), end) - start) / each : 0;
        if (indices > 0) {
          builder.span(index, index + indices, whole[dimension]);
          reach(start + indices * each);
        } else {
          builder.span(index, index + 1, node(dimension + 1, start));
        }
      }
      return builder.build();
    }
  }
}
