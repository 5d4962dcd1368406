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
  static Selection ofMask(boolean[] mask, long[] extent) {
    long volume = Extents.volume(extent);
    if (volume != mask.length) {
      throw new InvalidUseException(
          "mask: actual=" + mask.length + " elements, expected=" + volume);
    }
    return SetOperations.wrap(
        extent.length, volume == 0 ? SpanNode.EMPTY : new Picks(mask, extent).node(0, 0));
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
  static Selection along(int dimension, long[] ascending, long[] extent) {
    if (Extents.volume(extent) == 0) {
      return NoneSelection.INSTANCE;
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
        return NoneSelection.INSTANCE;
      }
    }
    return SetOperations.wrap(extent.length, node);
  }
}
