package org.hyperslab.format.space;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.function.IntToLongFunction;
import org.hyperslab.error.InvalidUseException;

/** Transfers selections from one dataspace to another, which may have another rank. */
final class Projection {

  private Projection() {}

  /**
   * Returns the elements of a destination selection whose partners in a source selection, paired in
   * the order of transfer, are also in {@code intersect}.
   */
  static Selection intersection(Part source, Part destination, Selection intersect) {
    long elements = source.selection.elementCount(source.extent);
    long partners = destination.selection.elementCount(destination.extent);
    if (elements != partners) {
      throw new InvalidUseException(
          "elements selected in the destination: actual="
              + partners
              + ", expected="
              + elements
              + " as in the source");
    }
    intersect.requireRank(source.extent.length);
    SpanNode positions = positions(source, intersect);
    if (destination.selection instanceof PointSelection points) {
      return somePoints(points, positions);
    }
    SpanNode whole = destination.selection.tree(destination.extent);
    return SetOperations.wrap(destination.extent.length, new OrdinalSets().pick(whole, positions));
  }

  /** A selection in its dataspace. */
  static final class Part {
    private final Selection selection;
    private final long[] extent;

    Part(Selection selection, long[] extent) {
      this.selection = selection;
      this.extent = extent;
    }
  }

  private static SpanNode positions(Part source, Selection intersect) {
    SpanNode wanted = intersect.tree(source.extent);
    if (source.selection instanceof PointSelection points) {
      SpanBuilder found = new SpanBuilder(1);
      long[] at = new long[points.rank()];
      for (int i = 0; i < points.size(); i++) {
        for (int d = 0; d < at.length; d++) {
          at[d] = points.coordinate(i, d);
        }
        if (wanted.contains(at)) {
          found.span(i, i + 1L, SpanNode.UNIT);
        }
      }
      return found.build();
    }
    SpanNode whole = source.selection.tree(source.extent);
    SpanNode part = SpanAlgebra.apply(SpanAlgebra.Operation.AND, whole, wanted);
    whole.countOrThrow();
    return new OrdinalSets().ordinals(whole, part);
  }

  private static Selection somePoints(PointSelection points, SpanNode positions) {
    int rank = points.rank();
    long[] kept = new long[Math.multiplyExact((int) positions.count, rank)];
    int used = 0;
    for (int i = 0; i < points.size(); i++) {
      if (positions.at(i) != SpanNode.EMPTY) {
        for (int d = 0; d < rank; d++) {
          kept[used++] = points.coordinate(i, d);
        }
      }
    }
    return PointSelection.of(rank, kept);
  }

  /** Returns the selection without a dimension in which a single index is selected. */
  static Selection dropDimension(Selection selection, int dimension) {
    if (selection.rank() == Selection.ANY_RANK) {
      return selection;
    }
    requireDimension(dimension, selection.rank() - 1);
    if (selection instanceof PointSelection points) {
      return pointsWithout(points, dimension);
    }
    if (selection instanceof RegularHyperslab regular) {
      requireOneIndex(regular.count(dimension) == 1 && regular.block(dimension) == 1, dimension);
      return RegularHyperslab.of(
          without(regular::start, regular.rank(), dimension),
          without(regular::stride, regular.rank(), dimension),
          without(regular::count, regular.rank(), dimension),
          without(regular::block, regular.rank(), dimension));
    }
    SpanNode root = selection.tree(null);
    requireOneIndex(root.bounds[2 * dimension + 1] - root.bounds[2 * dimension] == 1, dimension);
    return SetOperations.wrap(selection.rank() - 1, new Reshape(dimension, -1).apply(root, 0));
  }

  private static Selection pointsWithout(PointSelection points, int dimension) {
    int rank = points.rank();
    requireOneIndex(rank > 1, dimension);
    long[] kept = new long[points.size() * (rank - 1)];
    int used = 0;
    for (int i = 0; i < points.size(); i++) {
      requireOneIndex(
          points.coordinate(i, dimension) == points.coordinate(0, dimension), dimension);
      for (int d = 0; d < rank; d++) {
        if (d != dimension) {
          kept[used++] = points.coordinate(i, d);
        }
      }
    }
    return PointSelection.of(rank - 1, kept);
  }

  private static long[] without(IntToLongFunction values, int rank, int dimension) {
    long[] kept = new long[rank - 1];
    Arrays.setAll(kept, d -> values.applyAsLong(d < dimension ? d : d + 1));
    return kept;
  }

  private static void requireDimension(int dimension, int largest) {
    if (dimension < 0 || dimension > largest) {
      throw new InvalidUseException("dimension: actual=" + dimension + ", expected=0.." + largest);
    }
  }

  private static void requireOneIndex(boolean isOne, int dimension) {
    if (!isOne) {
      throw new InvalidUseException(
          "selected indices of the dimension to drop: actual=several, expected=one,"
              + " at=dimension "
              + dimension);
    }
  }

  /** Returns the selection with a new dimension in which one index is selected. */
  static Selection insertDimension(Selection selection, int dimension, long index) {
    if (selection.rank() == Selection.ANY_RANK) {
      return selection;
    }
    requireDimension(dimension, Math.min(selection.rank(), Dataspace.MAX_RANK - 1));
    if (index < 0 || index == Long.MAX_VALUE) {
      throw new InvalidUseException(
          "index in the new dimension: actual=" + index + ", expected=0..2^63-2");
    }
    if (selection instanceof PointSelection points) {
      int rank = points.rank();
      long[] wider = new long[points.size() * (rank + 1)];
      Arrays.setAll(
          wider,
          i -> {
            int d = i % (rank + 1);
            return d == dimension
                ? index
                : points.coordinate(i / (rank + 1), d < dimension ? d : d - 1);
          });
      return PointSelection.of(rank + 1, wider);
    }
    if (selection instanceof RegularHyperslab regular) {
      return RegularHyperslab.of(
          with(regular::start, regular.rank(), dimension, index),
          with(regular::stride, regular.rank(), dimension, 1),
          with(regular::count, regular.rank(), dimension, 1),
          with(regular::block, regular.rank(), dimension, 1));
    }
    return SetOperations.wrap(
        selection.rank() + 1, new Reshape(dimension, index).apply(selection.tree(null), 0));
  }

  private static long[] with(IntToLongFunction values, int rank, int dimension, long inserted) {
    long[] wider = new long[rank + 1];
    Arrays.setAll(
        wider, d -> d == dimension ? inserted : values.applyAsLong(d < dimension ? d : d - 1));
    return wider;
  }

  /** Removes a level of a tree, or inserts one with a single index. */
  private static final class Reshape {
    private final int dimension;
    private final long inserted;
    private final IdentityHashMap<SpanNode, SpanNode> done = new IdentityHashMap<>();

    Reshape(int dimension, long inserted) {
      this.dimension = dimension;
      this.inserted = inserted;
    }

    SpanNode apply(SpanNode node, int depth) {
      if (depth == dimension) {
        return inserted < 0 ? node.down(0) : above(node);
      }
      SpanNode known = done.get(node);
      if (known != null) {
        return known;
      }
      SpanBuilder out = new SpanBuilder(node.rank + (inserted < 0 ? -1 : 1));
      for (int i = 0; i < node.size(); i++) {
        out.run(
            node.start(i),
            node.stride(i),
            node.repeats(i),
            node.block(i),
            apply(node.down(i), depth + 1));
      }
      SpanNode result = out.build();
      done.put(node, result);
      return result;
    }

    private SpanNode above(SpanNode node) {
      SpanBuilder out = new SpanBuilder(node.rank + 1);
      out.span(inserted, inserted + 1, node);
      return out.build();
    }
  }
}
