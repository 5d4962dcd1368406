package org.hyperslab.format.space;

import java.util.ArrayList;
import java.util.List;

/**
 * Any set of coordinates of one rank, as a hash-consed span tree; visited in row-major order.
 *
 * <p>A union may be pending: the operands are kept until the set is first looked at, and then united
 * in one sweep. That is invisible but for the time it takes.
 *
 * <p>Thread rule: immutable as seen from outside; any thread may trigger the pending sweep, and two
 * that do so at once find the same node.
 */
public final class SpanTree extends Selection {

  private final int rank;
  private volatile SpanNode node;
  private volatile Pending pending;

  /** A union that has not been computed: a left-leaning chain, so that it can be walked in a loop. */
  private record Pending(Selection previous, Selection operand) {}

  /** A finished set; the node is not empty. */
  SpanTree(int rank, SpanNode node) {
    this.rank = rank;
    this.node = node;
  }

  /** The union of two selections of this rank, to be computed later; neither is empty. */
  SpanTree(int rank, Selection previous, Selection operand) {
    this.rank = rank;
    this.pending = new Pending(previous, operand);
  }

  /** Whether the union is still to be computed. */
  boolean isPending() {
    return node == null;
  }

  @Override
  SpanNode tree(long[] extent) {
    return tree();
  }

  /** The set, after computing what is pending. */
  SpanNode tree() {
    SpanNode done = node;
    if (done == null) {
      done = unite();
      node = done;
      pending = null;
    }
    return done;
  }

  private SpanNode unite() {
    List<Selection> operands = new ArrayList<>();
    Selection base = this;
    while (base instanceof SpanTree tree) {
      Pending chain = tree.pending;
      if (chain == null) {
        break;
      }
      operands.add(chain.operand());
      base = chain.previous();
    }
    if (base instanceof SpanTree finished) {
      SpanNode added = SpanUnion.of(rank, operands);
      return SpanAlgebra.apply(SpanAlgebra.Operation.OR, finished.tree(), added);
    }
    operands.add(base);
    return SpanUnion.of(rank, operands);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public boolean isRegular() {
    return tree().isRegular();
  }

  @Override
  public Selection clip(long[] extent) {
    Extents.requireRank(extent.length, rank);
    SpanNode mine = tree();
    if (SetOperations.isWithin(mine, extent)) {
      return this;
    }
    return SetOperations.wrap(
        rank,
        SpanAlgebra.apply(SpanAlgebra.Operation.AND, mine, AllSelection.INSTANCE.tree(extent)));
  }

  @Override
  public Selection offset(long[] by) {
    Extents.requireRank(by.length, rank);
    return SetOperations.wrap(rank, new SpanShift(by).shift(tree(), 0));
  }

  @Override
  public long elementCount(long[] extent) {
    return SetOperations.countOf(tree());
  }

  @Override
  public boolean contains(long... coordinates) {
    Extents.requireRank(coordinates.length, rank);
    return tree().contains(coordinates);
  }

  /** Equal to any span tree or limited regular hyperslab that selects the same set. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Selection that
        && (other instanceof SpanTree || other instanceof RegularHyperslab)
        && !that.isUnlimited()
        && that.tree(null) == tree();
  }

  @Override
  public int hashCode() {
    return tree().hash;
  }

  /** The number of elements and the box around them. */
  @Override
  public String toString() {
    SpanNode set = tree();
    return "spans(count=" + set.count + ", bounds=" + Extents.text(set.bounds) + ")";
  }
}
