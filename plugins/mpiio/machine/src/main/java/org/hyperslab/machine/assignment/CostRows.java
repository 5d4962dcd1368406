package org.hyperslab.machine.assignment;

/**
 * The costs of an assignment problem, provided row by row, so that a large matrix need not fit in
 * memory. Pairs that a row does not name are not allowed.
 */
interface CostRows {

  /** {@return the number of rows; each needs a column} */
  int rows();

  /** {@return the number of columns of every row} */
  int columns();

  /**
   * Provides one row.
   *
   * @param row the row, from 0
   * @param columns receives the columns allowed for the row, each once; its length is {@link
   *     #columns()}
   * @param costs receives the cost of each of them, finite
   * @return the number of columns provided
   */
  int row(int row, int[] columns, double[] costs);

  /**
   * Creates the rows of a matrix in which every pair is allowed.
   *
   * @param matrix the costs, in rows of equal length; kept, not copied
   * @return the rows
   */
  static CostRows of(double[][] matrix) {
    return new CostRows() {
      @Override
      public int rows() {
        return matrix.length;
      }

      @Override
      public int columns() {
        return matrix.length == 0 ? 0 : matrix[0].length;
      }

      @Override
      public int row(int row, int[] columns, double[] costs) {
        for (int i = 0; i < matrix[row].length; i++) {
          columns[i] = i;
          costs[i] = matrix[row][i];
        }
        return matrix[row].length;
      }
    };
  }
}
