package org.hyperslab.format.space;

import org.hyperslab.error.InvalidUseException;

/**
 * Limits the cost of one operation on span trees, so that a hostile or infeasible request is
 * refused with an explanation before it exhausts time or memory. Boxes of high rank can overlap in
 * exponentially many parts.
 *
 * <p>A unit is one step of a sweep. A created node is charged {@value #UNITS_PER_NODE} units plus
 * {@value #UNITS_PER_ENTRY} for each entry, in proportion to their memory.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SpanBudget {

  private static final long UNITS_PER_NODE = 40;
  private static final long UNITS_PER_ENTRY = 10;
  private static final long DEFAULT_UNITS = 1L << 29;

  private final long granted;
  private long left;

  private SpanBudget(long units) {
    this.granted = units;
    this.left = units;
  }

  /** Returns the budget of a caller's own operation. */
  static SpanBudget standard() {
    return new SpanBudget(DEFAULT_UNITS);
  }

  /** Returns the budget for uniting the given number of boxes from a file, which is not trusted. */
  static SpanBudget forDecoding(int boxes, int rank) {
    return new SpanBudget(Math.min(DEFAULT_UNITS, (1L << 24) + 2000L * boxes * rank));
  }

  /** Charges a step. */
  void step() {
    spend(1);
  }

  /** Charges for a node that was created. */
  void node(SpanNode node) {
    spend(UNITS_PER_NODE + UNITS_PER_ENTRY * node.size());
  }

  private void spend(long units) {
    left -= units;
    if (left < 0) {
      throw new InvalidUseException(
          "operation on selections: actual=cost above "
              + granted
              + " units, expected=at most that; use fewer or simpler blocks at a time");
    }
  }
}
