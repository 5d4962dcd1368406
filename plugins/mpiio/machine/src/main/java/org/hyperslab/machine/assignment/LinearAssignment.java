package org.hyperslab.machine.assignment;

import org.hyperslab.error.InvalidUseException;

/**
 * The cheapest assignment of rows to columns: each row has one column, no column has two rows, and
 * the sum of costs is minimal.
 *
 * @param columnOfRow the column of each row
 * @param cost the sum
 */
record LinearAssignment(int[] columnOfRow, double cost) {

  private static final int MAX_ENTRIES = 1 << 28;

  /**
   * Solves an assignment problem, after Jonker, Volgenant: A Shortest Augmenting Path Algorithm for
   * Dense and Sparse Linear Assignment Problems (1987), with Volgenant's forms for sparse and for
   * rectangular matrices (1996). For n rows, only the n cheapest columns of each row are kept: one
   * of them is always free, so others are never needed. Integer costs up to 2^53 give an exact
   * result.
   *
   * @param costs the costs, with at least as many columns as rows
   * @return the cheapest assignment; the choice among equally cheap ones is deterministic
   * @throws InvalidUseException if there are more rows than columns, if a cost is not finite, if
   *     the allowed pairs admit no assignment, or if there are more than 2^28 pairs to keep
   */
  public static LinearAssignment solve(CostRows costs) {
    if (costs.rows() > costs.columns()) {
      throw new InvalidUseException(
          "assignment: actual="
              + costs.rows()
              + " rows, "
              + costs.columns()
              + " columns,"
              + " expected=at least as many columns as rows");
    }
    if ((long) costs.rows() * Math.min(costs.rows(), costs.columns()) > MAX_ENTRIES) {
      throw new InvalidUseException(
          "assignment: actual=" + costs.rows() + " rows, expected=at most 16384");
    }
    SparseCosts kept = SparseCosts.of(costs);
    int[] columns = new ShortestAugmentingPaths(kept).solve();
    double sum = 0;
    for (int row = 0; row < columns.length; row++) {
      sum += kept.cost(row, columns[row]);
    }
    return new LinearAssignment(columns, sum);
  }
}
