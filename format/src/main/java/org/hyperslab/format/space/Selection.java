package org.hyperslab.format.space;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * A set or list of elements of a dataspace, with the order in which they are visited.
 *
 * <p>There are five kinds. {@link AllSelection} and {@link NoneSelection} fit every rank. {@link
 * PointSelection} is a list of coordinates: its order is the order of transfer, and duplicates are
 * kept. {@link RegularHyperslab} consists of blocks at equal distances; {@link SpanTree} is any set
 * of coordinates. Both are visited in row-major order.
 *
 * <p>Set operations treat every selection as the set of its coordinates. Points combined with any
 * selection except {@link #none()} therefore lose their order and duplicates and become a span
 * tree; the HDF5 library does not support this. Selections with an unlimited count or block, and
 * {@code all}, can be combined if the result does not depend on an extent; otherwise the operation
 * throws, and the caller applies {@link #clip} first.
 *
 * <p>Extents are arrays with the number of elements in each dimension, slowest first; they have
 * length 0 for a scalar, of which {@code all} selects the single element. Coordinates and ordinals
 * count from 0 and are below 2<sup>63</sup>.
 *
 * <p>Thread rule: immutable. Source: HDF5 dataspace interface (H5S), files H5Shyper.c, H5Spoint.c.
 */
public abstract sealed class Selection
    permits AllSelection, NoneSelection, PointSelection, RegularHyperslab, SpanTree {

  /** The value of a count or block that means unlimited: up to the end of the extent. */
  public static final long UNLIMITED = Dataspace.UNLIMITED;

  /** The rank of a selection that fits every rank. */
  public static final int ANY_RANK = -1;

  Selection() {}

  /** {@return every element} */
  public static Selection all() {
    return AllSelection.INSTANCE;
  }

  /** {@return no element} */
  public static Selection none() {
    return NoneSelection.INSTANCE;
  }

  /**
   * {@return a list of points, in the order of transfer}
   *
   * @param rank the number of dimensions of a point, at least 1
   * @param coordinates the coordinates of each point in turn, slowest dimension first
   * @throws InvalidUseException if the array does not hold a whole number of points or a coordinate
   *     is negative
   */
  public static Selection points(int rank, long... coordinates) {
    return PointSelection.of(rank, coordinates);
  }

  /**
   * {@return blocks at equal distances: index {@code start + k*stride + j} with {@code 0 ≤ k <
   * count} and {@code 0 ≤ j < block} in each dimension} A count or block of 0 in any dimension
   * selects nothing.
   *
   * @param start the first index of each dimension
   * @param stride the distance between blocks, at least the block unless the count is 1
   * @param count the number of blocks, or {@link #UNLIMITED} in one dimension
   * @param block the number of elements in a block, or {@link #UNLIMITED} in one dimension, with a
   *     count of 1
   * @throws InvalidUseException if ranks differ, blocks overlap or an index exceeds 2^63-2
   */
  public static Selection hyperslab(long[] start, long[] stride, long[] count, long[] block) {
    return RegularHyperslab.of(start, stride, count, block);
  }

  /**
   * {@return one block: {@code start .. start + count - 1} in each dimension}
   *
   * @param start the coordinates of the first element
   * @param count the number of elements in each dimension
   */
  public static Selection box(long[] start, long[] count) {
    return RegularHyperslab.ofBox(start, count);
  }

  /**
   * {@return the elements that a mask marks}
   *
   * @param mask for every element of the extent, in row-major order, whether it is selected
   * @param extent the lengths of the dimensions, at least one
   * @throws InvalidUseException if the mask has another number of elements
   */
  public static Selection mask(boolean[] mask, long... extent) {
    Extents.requireRank(Math.max(1, extent.length), extent.length);
    return SetOperations.wrap(extent.length, Picks.ofMask(mask, extent));
  }

  /**
   * {@return all elements of an extent whose index in one dimension is one of a list}
   *
   * @param dimension the dimension, from 0
   * @param ascending the indices, each once, in ascending order
   * @param extent the lengths of the dimensions
   * @throws InvalidUseException if an index is outside the extent, or not above the one before
   */
  public static Selection along(int dimension, long[] ascending, long... extent) {
    if (dimension < 0 || dimension >= extent.length) {
      throw new InvalidUseException(
          "dimension: actual=" + dimension + ", expected=0 to " + (extent.length - 1));
    }
    return SetOperations.wrap(extent.length, Picks.along(dimension, ascending, extent));
  }

  /**
   * {@return the elements of some runs of an extent, whose elements are counted in row-major order}
   *
   * @param runs the offset of the first element of each run, and behind it the run's length; in
   *     ascending order, at least 1 long, none overlapping the one before
   * @param extent the lengths of the dimensions, at least one
   * @throws InvalidUseException if a run is empty, not behind the one before, or leaves the extent
   * @since 0.2
   */
  public static Selection ofRuns(long[] runs, long... extent) {
    Extents.requireRank(Math.max(1, extent.length), extent.length);
    return SetOperations.wrap(extent.length, Picks.ofRuns(runs, extent));
  }

  /**
   * {@return the union of many selections, computed in one sweep; none for an empty list} This is
   * much cheaper than a sequence of {@code or} whose intermediate results are used.
   *
   * @param selections the selections
   * @throws InvalidUseException if ranks differ, or one is unlimited
   */
  public static Selection union(List<? extends Selection> selections) {
    return SetOperations.union(selections);
  }

  /** {@return the number of dimensions, or {@link #ANY_RANK} for all and none} */
  public abstract int rank();

  /**
   * {@return whether a count or block is unlimited, so that the selected elements depend on an
   * extent}
   */
  public boolean isUnlimited() {
    return false;
  }

  /** {@return whether this is one regular hyperslab, in whichever form it is represented} */
  public abstract boolean isRegular();

  /**
   * Returns the coordinates as a tree; {@code all} and unlimited parts end at the extent.
   *
   * @param extent the extent; may be null if there are no such parts
   */
  abstract SpanNode tree(long[] extent);

  /**
   * Returns a tree as {@link #tree} does, to be walked once; its nodes may not be the shared ones.
   */
  SpanNode walkedTree(long[] extent) {
    return tree(extent);
  }

  /**
   * {@return the elements in this or in the other selection} A sequence of these operations costs
   * as much as one {@link #union}: the result is computed when it is first used.
   *
   * @param other the other selection
   */
  public final Selection or(Selection other) {
    return SetOperations.or(this, other);
  }

  /**
   * {@return the elements in both selections}
   *
   * @param other the other selection
   */
  public final Selection and(Selection other) {
    return SetOperations.and(this, other);
  }

  /**
   * {@return the elements in exactly one of the two selections}
   *
   * @param other the other selection
   */
  public final Selection xor(Selection other) {
    return SetOperations.xor(this, other);
  }

  /**
   * {@return the elements in this selection and not in the other: HDF5's {@code H5S_SELECT_NOTB}}
   *
   * @param other the other selection
   */
  public final Selection andNot(Selection other) {
    return SetOperations.andNot(this, other);
  }

  /**
   * {@return the elements in the other selection and not in this one: HDF5's {@code
   * H5S_SELECT_NOTA}}
   *
   * @param other the other selection
   */
  public final Selection notA(Selection other) {
    return SetOperations.andNot(other, this);
  }

  /**
   * {@return the elements in this selection and not in the other; another name of {@link #andNot}}
   *
   * @param other the other selection
   */
  public final Selection notB(Selection other) {
    return SetOperations.andNot(this, other);
  }

  /**
   * {@return the elements of an extent that this selection does not contain}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   */
  public final Selection complement(long[] extent) {
    Extents.volume(extent);
    return SetOperations.wrap(
        extent.length,
        SpanAlgebra.apply(
            SpanAlgebra.Operation.AND_NOT, AllSelection.INSTANCE.tree(extent), tree(extent)));
  }

  /**
   * {@return the part inside an extent; unlimited counts and blocks end there, also within a block}
   * All and none are returned unchanged; points keep their order.
   *
   * @param extent the shape of the dataspace, slowest dimension first
   */
  public abstract Selection clip(long[] extent);

  /**
   * {@return this selection moved by a distance in each dimension; all and none are returned
   * unchanged}
   *
   * @param by the distance in each dimension; may be negative
   * @throws InvalidUseException if an index becomes negative or too large
   */
  public abstract Selection offset(long[] by);

  /**
   * Projects an intersection to another dataspace. The elements of this selection and of the
   * destination are paired in the order of transfer; the result has those of the destination whose
   * partner is also in {@code intersect}. This is HDF5's {@code H5Sselect_project_intersection},
   * extended to points.
   *
   * @param extent the extent of this selection's dataspace
   * @param destination a selection with the same number of elements as this one
   * @param destinationExtent the extent of its dataspace, of any rank
   * @param intersect a selection in this selection's dataspace
   * @return a selection in the destination's dataspace; of points, a list in their order
   * @throws InvalidUseException if the numbers of elements, or the ranks, differ
   */
  public final Selection projectIntersection(
      long[] extent, Selection destination, long[] destinationExtent, Selection intersect) {
    requireWithin(extent);
    destination.requireWithin(destinationExtent);
    return Projection.intersection(
        new Projection.Part(this, extent),
        new Projection.Part(destination, destinationExtent),
        intersect);
  }

  /**
   * {@return the same elements without a dimension in which a single index is selected, for example
   * a plane of a three-dimensional dataspace as a selection of rank 2} The order of transfer is
   * kept. All and none are returned unchanged.
   *
   * @param dimension the dimension, counted from 0, the slowest
   * @throws InvalidUseException if several indices are selected in the dimension
   */
  public final Selection dropDimension(int dimension) {
    return Projection.dropDimension(this, dimension);
  }

  /**
   * {@return the same elements at one index of a new dimension} The order of transfer is kept. All
   * and none are returned unchanged.
   *
   * @param dimension the position of the new dimension, 0 to the rank
   * @param index the index that is selected in it
   */
  public final Selection insertDimension(int dimension, long index) {
    return Projection.insertDimension(this, dimension, index);
  }

  /**
   * {@return the number of elements selected within an extent; points count as often as they are
   * listed}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   */
  public abstract long elementCount(long[] extent);

  /**
   * {@return the smallest box around the elements selected within an extent}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @throws InvalidUseException if nothing is selected
   */
  public final Bounds bounds(long[] extent) {
    SpanNode node = tree(extent);
    if (node == SpanNode.EMPTY) {
      throw new InvalidUseException(
          "bounds of a selection: actual=nothing selected, expected=at least one element");
    }
    return new Bounds(node.bounds);
  }

  /**
   * {@return the number of blocks of the selected set, as the HDF5 library lists them: boxes that
   * do not overlap}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @throws InvalidUseException if the number exceeds 2^63-1
   */
  public final long blockCount(long[] extent) {
    long blocks = new SpanBlocks().count(tree(extent));
    if (blocks < 0) {
      throw new InvalidUseException(
          "number of blocks: actual=more than 2^63-1, expected=at most " + "that");
    }
    return blocks;
  }

  /**
   * Visits the blocks of {@link #blockCount} in row-major order.
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @param visitor called for each block
   */
  public final void forEachBlock(long[] extent, BlockVisitor visitor) {
    SpanNode node = tree(extent);
    if (node != SpanNode.EMPTY) {
      new SpanBlocks().forEach(node, visitor);
    }
  }

  /**
   * {@return the same selection in its simplest form: none, a regular hyperslab or a span tree;
   * all, points and unlimited hyperslabs are returned unchanged} Computes a deferred union.
   */
  public Selection simplest() {
    return this;
  }

  /**
   * {@return whether the element at a coordinate is selected; false outside the extent}
   *
   * @param coordinates the coordinates of the element, slowest dimension first
   */
  public abstract boolean contains(long... coordinates);

  /**
   * {@return whether two selections select the same set of elements of an extent}
   *
   * @param other the other selection
   * @param extent the shape of the dataspace, slowest dimension first
   */
  public final boolean selectsSame(Selection other, long[] extent) {
    return clip(extent).tree(extent) == other.clip(extent).tree(extent);
  }

  /**
   * Requires every selected index to be inside an extent.
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @throws InvalidUseException if an index is outside, naming the dimension, or if the ranks
   *     differ
   */
  public void requireWithin(long[] extent) {
    requireRank(extent.length);
    SpanNode node = tree(extent);
    for (int i = 0; node != SpanNode.EMPTY && i < extent.length; i++) {
      requireBelow(node.bounds[2 * i + 1], extent[i], i);
    }
  }

  static void requireBelow(long end, long extent, int dimension) {
    if (end > extent) {
      throw new InvalidUseException(
          "selected index: actual="
              + (end - 1)
              + ", expected=below the extent "
              + extent
              + ", at=dimension "
              + dimension);
    }
  }

  final void requireRank(int expected) {
    if (rank() != ANY_RANK && rank() != expected) {
      throw new InvalidUseException(
          "rank of the selection: actual=" + rank() + ", expected=" + expected);
    }
  }

  /**
   * {@return the runs of contiguous elements in the order of transfer, as offsets into the extent
   * laid out in row-major order}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @throws InvalidUseException if the selection is not within the extent
   */
  public final RunCursor runs(long[] extent) {
    return runs(extent, 0, Long.MAX_VALUE);
  }

  /**
   * {@return the runs of a part of the selection}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @param firstOrdinal the position, in the order of transfer, of the first element to visit
   * @param count the greatest number of elements to visit
   * @throws InvalidUseException if the selection is not within the extent, or a number is negative
   */
  public final RunCursor runs(long[] extent, long firstOrdinal, long count) {
    Extents.volume(extent);
    requireWithin(extent);
    if (firstOrdinal < 0 || count < 0) {
      throw new InvalidUseException(
          "part of a selection: actual=first "
              + firstOrdinal
              + ", count "
              + count
              + ", expected=neither negative");
    }
    return cursor(extent, firstOrdinal, count);
  }

  /** Returns a cursor over a selection that is known to be within the extent. */
  RunCursor cursor(long[] extent, long firstOrdinal, long count) {
    return new TreeRunCursor(tree(extent), extent, firstOrdinal, count);
  }

  /**
   * {@return the position of a coordinate in the order of transfer, or -1 if it is not selected;
   * for points, the first one at the coordinate}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @param coordinates the coordinates of the element, slowest dimension first
   */
  public long ordinalOf(long[] extent, long... coordinates) {
    Extents.requireRank(coordinates.length, extent.length);
    return SpanSearch.ordinalOf(tree(extent), coordinates);
  }

  /**
   * {@return the coordinate at a position in the order of transfer}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @param ordinal the position in the order of transfer, counted from 0
   * @throws InvalidUseException if the ordinal is not below the number of selected elements
   */
  public long[] coordinateAt(long[] extent, long ordinal) {
    long[] coordinates = new long[extent.length];
    SpanSearch.coordinateAt(tree(extent), ordinal, coordinates);
    return coordinates;
  }

  /**
   * {@return the row-major element offset of the element at a position in the order of transfer}
   *
   * @param extent the shape of the dataspace, slowest dimension first
   * @param ordinal the position in the order of transfer, counted from 0
   */
  public final long offsetAt(long[] extent, long ordinal) {
    return Extents.linear(extent, coordinateAt(extent, ordinal));
  }

  /**
   * {@return the chunks that contain selected elements, in row-major order of chunks} They are
   * found by descending the selection, so that chunks without selected elements cost nothing.
   *
   * @param extent the dataset's current extent
   * @param chunkDims the number of elements of a chunk in each dimension, each at least 1
   * @throws InvalidUseException if the selection is not within the extent or ranks differ
   */
  public final ChunkIterator chunks(long[] extent, long[] chunkDims) {
    requireWithin(extent);
    return ChunkIterator.over(this, extent, chunkDims);
  }

  /** The smallest box around a selection. */
  public static final class Bounds {
    private final long[] lowAndEnd;

    Bounds(long[] lowAndEnd) {
      this.lowAndEnd = lowAndEnd;
    }

    /**
     * {@return the smallest selected index of a dimension}
     *
     * @param dimension the dimension, counted from 0, the slowest
     */
    public long low(int dimension) {
      return lowAndEnd[2 * dimension];
    }

    /**
     * {@return the largest selected index of a dimension}
     *
     * @param dimension the dimension, counted from 0, the slowest
     */
    public long high(int dimension) {
      return lowAndEnd[2 * dimension + 1] - 1;
    }

    /** {@return the number of dimensions} */
    public int rank() {
      return lowAndEnd.length / 2;
    }
  }
}
