package org.hyperslab.tools.plot;

/**
 * A grid of numbers that fits a picture. A larger grid is reduced to the means of equal parts,
 * without NaN and infinity; a part without other numbers becomes NaN.
 *
 * @param rows the number of rows
 * @param columns the number of columns
 * @param values the numbers, row by row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PlotGrid(int rows, int columns, double[] values) {

  /** The greatest number of rows and of columns of a picture. */
  static final int MOST = 500;

  /**
   * {@return the means of the parts of a larger grid}
   *
   * @param rows the number of rows of the larger grid
   * @param columns its number of columns
   * @param numbers its numbers, row by row
   */
  static PlotGrid of(int rows, int columns, double[] numbers) {
    int fewRows = Math.min(rows, MOST);
    int fewColumns = Math.min(columns, MOST);
    double[] sums = new double[fewRows * fewColumns];
    long[] counts = new long[sums.length];
    for (int i = 0; i < rows; i++) {
      int row = (int) ((long) i * fewRows / rows);
      for (int j = 0; j < columns; j++) {
        double number = numbers[i * columns + j];
        if (Double.isFinite(number)) {
          int at = row * fewColumns + (int) ((long) j * fewColumns / columns);
          sums[at] += number;
          counts[at]++;
        }
      }
    }
    for (int at = 0; at < sums.length; at++) {
      sums[at] = counts[at] == 0 ? Double.NaN : sums[at] / counts[at];
    }
    return new PlotGrid(fewRows, fewColumns, sums);
  }

  double value(int row, int column) {
    return values[row * columns + column];
  }
}
