package org.hyperslab.format.space;

/**
 * Any set of coordinates of one rank, as a hash-consed span tree, visited in row-major order.
 *
 * <p>A union may be pending: the operands are kept until the set is first used, and then united in
 * one sweep. This has no visible effect except on the time of operations.
 *
 * <p>Thread rule: immutable as seen by callers; any thread may trigger the pending sweep, and two
 * that do so at once obtain the same node.
 */
final class SpanTree extends Selection {

  private final int rank;
  private volatile SpanNode node;

  /**
   * The operands of a pending union: a log, of which the first entries count; null after the node
   * has been computed.
   */
  private volatile UnionLog log;

  private final int boxes;
  private final int others;

  /** The number of elements, if it is known before the union is computed. */
  private final long knownCount;

  /** Creates a computed set; the node must not be empty. */
  SpanTree(int rank, SpanNode node) {
    this.rank = rank;
    this.node = node;
    this.boxes = 0;
    this.others = 0;
    this.knownCount = node.count;
  }

  private SpanTree(int rank, UnionLog log, int boxes, int others, long knownCount) {
    this.rank = rank;
    this.log = log;
    this.boxes = boxes;
    this.others = others;
    this.knownCount = knownCount;
  }

  /**
   * Returns the union of two selections of one rank, to be computed later; neither may be empty.
   */
  static SpanTree pendingUnion(Selection a, Selection b) {
    if (a instanceof SpanTree tree) {
      SpanTree longer = tree.appended(b);
      if (longer != null) {
        return longer;
      }
    }
    if (!SetOperations.isBox(a)) {
      a.tree(null); // So that pending unions do not nest.
    }
    return new SpanTree(a.rank(), new UnionLog(a.rank()), 0, 0, 0).appended(a).appended(b);
  }

  /**
   * Returns this pending union with one more operand, or null if it is not pending or another union
   * continues its log.
   */
  private SpanTree appended(Selection operand) {
    UnionLog mine = log;
    if (mine == null) {
      return null;
    }
    long count = SetOperations.append(operand, mine, boxes, others);
    if (count == UnionLog.REFUSED) {
      return null;
    }
    boolean isBox = SetOperations.isBox(operand);
    return new SpanTree(rank, mine, isBox ? boxes + 1 : boxes, isBox ? others : others + 1, count);
  }

  /** Returns whether the union is still to be computed. */
  boolean isPending() {
    return node == null;
  }

  @Override
  SpanNode tree(long[] extent) {
    return tree();
  }

  /** Returns the set, computing a pending union first. */
  SpanNode tree() {
    SpanNode done = node;
    if (done == null) {
      UnionLog operands = log;
      done = operands == null ? node : operands.unite(boxes, others);
      node = done;
      log = null;
    }
    return done;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public Selection simplest() {
    SpanNode set = tree();
    return set.isRegular() ? SetOperations.regular(rank, set) : this;
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
    return knownCount >= 0 ? knownCount : tree().countOrThrow();
  }

  @Override
  public boolean contains(long... coordinates) {
    Extents.requireRank(coordinates.length, rank);
    return tree().contains(coordinates);
  }

  /**
   * Compares with any span tree or limited regular hyperslab; equal if both select the same set.
   */
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

  /** Returns text with the number of elements and the box around them. */
  @Override
  public String toString() {
    SpanNode set = tree();
    return "spans(count=" + set.count + ", bounds=" + Extents.text(set.bounds) + ")";
  }
}
