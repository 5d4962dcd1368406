package org.hyperslab.mpiio.machine;

/**
 * The costs of an assignment problem, a row at a time, so that a large matrix is never whole in
 * memory. Pairs that a row does not name are not allowed.
 */
interface CostRows {

  /** {@return how many rows there are; each needs a column} */
  int rows();

  /** {@return how many columns there are} */
  int columns();

  /**
   * Gives one row.
   *
   * @param row the row, from 0
   * @param columns takes the columns that the row may have, each once; as long as there are columns
   * @param costs takes the cost of each of them, finite
   * @return how many columns were given
   */
  int row(int row, int[] columns, double[] costs);

  /**
   * Makes rows of a matrix in which every pair is allowed.
   *
   * @param matrix rows of equal length; kept, not copied
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
