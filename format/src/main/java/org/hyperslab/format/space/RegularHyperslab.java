package org.hyperslab.format.space;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * Blocks at equal distances in every dimension, in normal form: adjacent blocks are merged, and a
 * single block has stride 1. An unlimited number of adjacent blocks is not merged, because a
 * virtual dataset maps a file to each of them.
 *
 * <p>Thread rule: immutable; the tree is created on first use.
 */
public final class RegularHyperslab extends Selection {

  private static final long[][] ONES = new long[Dataspace.MAX_RANK + 1][];

  static {
    for (int rank = 0; rank < ONES.length; rank++) {
      ONES[rank] = new long[rank];
      Arrays.fill(ONES[rank], 1);
    }
  }

  private final long[] start;
  private final long[] stride;
  private final long[] count;
  private final long[] block;
  private final int unlimitedDimension;
  private volatile SpanNode node;

  private RegularHyperslab(long[] start, long[] stride, long[] count, long[] block) {
    this.start = start;
    this.stride = stride;
    this.count = count;
    this.block = block;
    int unlimited = -1;
    for (int i = 0; i < start.length; i++) {
      if (count[i] == UNLIMITED || block[i] == UNLIMITED) {
        unlimited = i;
      }
    }
    this.unlimitedDimension = unlimited;
  }

  static Selection of(long[] start, long[] stride, long[] count, long[] block) {
    int rank = start.length;
    if (rank > Dataspace.MAX_RANK) {
      throw tooManyDimensions(rank);
    }
    Extents.requireRank(stride.length, rank);
    Extents.requireRank(count.length, rank);
    Extents.requireRank(block.length, rank);
    boolean empty = false;
    for (int i = 0; i < rank; i++) {
      requireValid(start[i], stride[i], count[i], block[i], i);
      empty |= count[i] == 0 || block[i] == 0;
    }
    RegularHyperslab hyperslab =
        normalised(start.clone(), stride.clone(), count.clone(), block.clone());
    requireOneUnlimited(hyperslab);
    return empty ? NoneSelection.INSTANCE : hyperslab;
  }

  /** Selects one block; the arrays are copied. */
  static Selection ofBox(long[] start, long[] block) {
    int rank = start.length;
    if (rank > Dataspace.MAX_RANK) {
      throw tooManyDimensions(rank);
    }
    Extents.requireRank(block.length, rank);
    boolean empty = false;
    for (int i = 0; i < rank; i++) {
      requireValid(start[i], 1, 1, block[i], i);
      empty |= block[i] == 0;
    }
    long[] ones = ONES[rank];
    RegularHyperslab box = new RegularHyperslab(start.clone(), ones, ones, block.clone());
    requireOneUnlimited(box);
    return empty ? NoneSelection.INSTANCE : box;
  }

  private static InvalidUseException tooManyDimensions(int rank) {
    return new InvalidUseException(
        "hyperslab rank: actual=" + rank + ", expected=0.." + Dataspace.MAX_RANK);
  }

  private static void requireOneUnlimited(RegularHyperslab hyperslab) {
    int unlimited = 0;
    for (int i = 0; i < hyperslab.start.length; i++) {
      unlimited += hyperslab.count[i] == UNLIMITED || hyperslab.block[i] == UNLIMITED ? 1 : 0;
    }
    if (unlimited > 1) {
      throw new InvalidUseException(
          "unlimited dimensions of a hyperslab: actual=" + unlimited + ", expected=at most 1");
    }
  }

  private static RegularHyperslab normalised(
      long[] start, long[] stride, long[] count, long[] block) {
    for (int i = 0; i < start.length; i++) {
      if (count[i] > 1 && stride[i] == block[i]) {
        block[i] *= count[i];
        count[i] = 1;
      }
      if (count[i] == 1) {
        stride[i] = 1;
      }
    }
    return new RegularHyperslab(start, stride, count, block);
  }

  private static void requireValid(long start, long stride, long count, long block, int dimension) {
    if (start < 0 || stride < 1 || count < UNLIMITED || block < UNLIMITED) {
      throw new InvalidUseException(
          "hyperslab: actual=start "
              + start
              + " stride "
              + stride
              + " count "
              + count
              + " block "
              + block
              + ", expected=start at least 0, stride at least 1, count and block at least 0 or"
              + " UNLIMITED, at=dimension "
              + dimension);
    }
    if (count != 0 && count != 1 && block != 0 && (block == UNLIMITED || stride < block)) {
      throw new InvalidUseException(
          "hyperslab stride: actual="
              + stride
              + ", expected=at least the block "
              + (block == UNLIMITED ? "(unlimited)" : block)
              + " as blocks may not overlap, at=dimension "
              + dimension);
    }
    if (count > 0 && block > 0) {
      long last = Extents.multiplyOrOverflow(count - 1, stride);
      if (Extents.addOrOverflow(Extents.addOrOverflow(last, start), block) < 0) {
        throw new InvalidUseException(
            "hyperslab end: actual=start "
                + start
                + " + (count "
                + count
                + " - 1) * stride "
                + stride
                + " + block "
                + block
                + ", expected=at most 2^63-1, at=dimension "
                + dimension);
      }
    }
  }

  @Override
  public int rank() {
    return start.length;
  }

  /**
   * {@return the first index of a dimension}
   *
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long start(int dimension) {
    return start[dimension];
  }

  /**
   * {@return the distance between blocks; 1 if there is one block}
   *
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long stride(int dimension) {
    return stride[dimension];
  }

  /**
   * {@return the number of blocks, or {@link #UNLIMITED}}
   *
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long count(int dimension) {
    return count[dimension];
  }

  /**
   * {@return the number of elements in a block, or {@link #UNLIMITED}}
   *
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long block(int dimension) {
    return block[dimension];
  }

  /** {@return the dimension whose count or block is unlimited, or -1} */
  public int unlimitedDimension() {
    return unlimitedDimension;
  }

  @Override
  public boolean isUnlimited() {
    return unlimitedDimension >= 0;
  }

  @Override
  public boolean isRegular() {
    return true;
  }

  /**
   * {@return the number of selected indices of a dimension below an extent; a block that crosses
   * the end counts in part} An unlimited mapping of a virtual dataset grows by this number.
   *
   * @param dimension the dimension, counted from 0, the slowest
   * @param extent the length of the dimension
   */
  public long indicesWithin(int dimension, long extent) {
    long room = extent - start[dimension];
    if (room <= 0) {
      return 0;
    }
    if (count[dimension] == 1) {
      return block[dimension] == UNLIMITED ? room : Math.min(room, block[dimension]);
    }
    long whole = (room - 1) / stride[dimension];
    long inLast = Math.min(room - whole * stride[dimension], block[dimension]);
    return count[dimension] != UNLIMITED && whole >= count[dimension]
        ? count[dimension] * block[dimension]
        : whole * block[dimension] + inLast;
  }

  /**
   * {@return the smallest extent of a dimension in which the given number of indices are selected;
   * 0 for none}
   *
   * @param dimension the dimension, counted from 0, the slowest
   * @param indices the number of indices to be selected
   * @throws InvalidUseException if the extent exceeds 2^63-1, or fewer indices are selected
   */
  public long extentFor(int dimension, long indices) {
    if (indices <= 0) {
      return 0;
    }
    boolean one = count[dimension] == 1;
    long blocks = one ? 0 : (indices - 1) / block[dimension];
    long rest = one ? indices : indices - blocks * block[dimension];
    long extent =
        Extents.addOrOverflow(
            Extents.addOrOverflow(
                start[dimension], Extents.multiplyOrOverflow(blocks, stride[dimension])),
            rest);
    if (extent < 0
        || (count[dimension] != UNLIMITED && blocks >= count[dimension])
        || (one && block[dimension] != UNLIMITED && indices > block[dimension])) {
      throw new InvalidUseException(
          "indices of a hyperslab: actual="
              + indices
              + " wanted, expected=as many as are selected, at=dimension "
              + dimension);
    }
    return extent;
  }

  /**
   * {@return one block of an unlimited count, by its number, counted from 0: the part that a
   * virtual dataset maps to the file with that number}
   *
   * @param number the number of the block, counted from 0
   * @throws InvalidUseException if the count is not unlimited, or the block ends beyond 2^63-1
   */
  public Selection unlimitedBlock(long number) {
    int d = unlimitedDimension;
    if (d < 0 || count[d] != UNLIMITED || number < 0) {
      throw new InvalidUseException(
          "block of an unlimited count: actual=number "
              + number
              + " of "
              + this
              + ", expected=at least 0 of a hyperslab with an unlimited count");
    }
    long first = Extents.addOrOverflow(start[d], Extents.multiplyOrOverflow(number, stride[d]));
    long[] starts = start.clone();
    long[] counts = count.clone();
    starts[d] = first < 0 ? Long.MAX_VALUE : first;
    counts[d] = 1;
    return of(starts, stride, counts, block);
  }

  /** Returns whether this is a single limited block. */
  boolean isBox() {
    for (long blocks : count) {
      if (blocks != 1) {
        return false;
      }
    }
    return unlimitedDimension < 0;
  }

  @Override
  SpanNode tree(long[] extent) {
    if (unlimitedDimension >= 0) {
      if (extent == null) {
        throw new InvalidUseException(
            "unlimited hyperslab: actual=no extent, expected=an extent; clip it first");
      }
      Extents.requireRank(extent.length, start.length);
      return build(extent[unlimitedDimension], false);
    }
    SpanNode made = node;
    if (made == null) {
      made = build(0, false);
      node = made;
    }
    return made;
  }

  @Override
  SpanNode walkedTree(long[] extent) {
    return isUnlimited() || node != null ? tree(extent) : build(0, true);
  }

  private SpanNode build(long limit, boolean apart) {
    SpanNode made = SpanNode.UNIT;
    for (int i = start.length - 1; i >= 0; i--) {
      SpanBuilder builder = new SpanBuilder(start.length - i);
      if (i != unlimitedDimension) {
        builder.run(start[i], stride[i], count[i], block[i], made);
      } else if (start[i] < limit) {
        buildUnlimited(builder, i, limit, made);
      }
      made = apart ? builder.buildApart() : builder.build();
      if (made == SpanNode.EMPTY) {
        return made;
      }
    }
    return made;
  }

  private void buildUnlimited(SpanBuilder builder, int i, long limit, SpanNode below) {
    if (block[i] == UNLIMITED) {
      builder.span(start[i], limit, below);
      return;
    }
    long room = limit - start[i];
    long whole = room < block[i] ? 0 : (room - block[i]) / stride[i] + 1;
    builder.run(start[i], stride[i], whole, block[i], below);
    long next = Extents.addOrOverflow(start[i], Extents.multiplyOrOverflow(whole, stride[i]));
    if (next >= 0 && next < limit) {
      builder.span(next, limit, below);
    }
  }

  @Override
  RunCursor cursor(long[] extent, long firstOrdinal, long elements) {
    return isUnlimited()
        ? super.cursor(extent, firstOrdinal, elements)
        : new RegularRunCursor(this, extent, firstOrdinal, elements);
  }

  @Override
  public long[] coordinateAt(long[] extent, long ordinal) {
    if (isUnlimited() || ordinal < 0 || ordinal >= elementCount(extent)) {
      return super.coordinateAt(extent, ordinal);
    }
    long[] coordinates = new long[start.length];
    long rest = ordinal;
    for (int i = start.length - 1; i >= 0; i--) {
      long inBlock = rest % block[i];
      rest /= block[i];
      coordinates[i] = start[i] + rest % count[i] * stride[i] + inBlock;
      rest /= count[i];
    }
    return coordinates;
  }

  @Override
  public Selection clip(long[] extent) {
    Extents.requireRank(extent.length, start.length);
    SpanNode mine = tree(extent);
    if (!isUnlimited() && SetOperations.isWithin(mine, extent)) {
      return this;
    }
    return SetOperations.wrap(
        extent.length,
        SpanAlgebra.apply(SpanAlgebra.Operation.AND, mine, AllSelection.INSTANCE.tree(extent)));
  }

  @Override
  public Selection offset(long[] by) {
    Extents.requireRank(by.length, start.length);
    long[] moved = start.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] = Extents.moved(moved[i], by[i], i);
    }
    return of(moved, stride, count, block);
  }

  @Override
  public long elementCount(long[] extent) {
    long elements = isUnlimited() ? -1 : 1;
    for (int i = 0; i < start.length && elements >= 0; i++) {
      elements = Extents.multiplyOrOverflow(elements, count[i] * block[i]);
    }
    return elements >= 0 ? elements : tree(extent).countOrThrow();
  }

  /** Checks bounds without building a tree, because many selections are only checked. */
  @Override
  public void requireWithin(long[] extent) {
    if (isUnlimited()) {
      super.requireWithin(extent);
      return;
    }
    requireRank(extent.length);
    for (int i = 0; i < start.length; i++) {
      requireBelow(start[i] + (count[i] - 1) * stride[i] + block[i], extent[i], i);
    }
  }

  @Override
  public boolean contains(long... coordinates) {
    Extents.requireRank(coordinates.length, start.length);
    for (int i = 0; i < start.length; i++) {
      long inside = coordinates[i] - start[i];
      if (inside < 0) {
        return false;
      }
      long repeat = inside / stride[i];
      if (count[i] == 1) {
        if (block[i] != UNLIMITED && inside >= block[i]) {
          return false;
        }
      } else if ((count[i] != UNLIMITED && repeat >= count[i])
          || inside - repeat * stride[i] >= block[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Compares with any regular hyperslab or span tree; equal if both select the same set
   * independently of an extent.
   */
  @Override
  public boolean equals(Object other) {
    if (other instanceof RegularHyperslab that) {
      return Arrays.equals(start, that.start)
          && Arrays.equals(stride, that.stride)
          && Arrays.equals(count, that.count)
          && Arrays.equals(block, that.block);
    }
    return !isUnlimited() && other instanceof SpanTree that && tree(null) == that.tree(null);
  }

  @Override
  public int hashCode() {
    return isUnlimited() ? Arrays.hashCode(start) : tree(null).hash;
  }

  @Override
  public String toString() {
    return "hyperslab(start="
        + Extents.text(start)
        + ", stride="
        + Extents.text(stride)
        + ", count="
        + Extents.text(count)
        + ", block="
        + Extents.text(block)
        + ")";
  }
}
