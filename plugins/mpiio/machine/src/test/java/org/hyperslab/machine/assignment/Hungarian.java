package org.hyperslab.machine.assignment;

import java.util.Arrays;

/**
 * Kuhn's Hungarian method with potentials, for dense matrices: an independent solver for
 * comparisons.
 */
final class Hungarian {

  private Hungarian() {}

  /** Returns the least sum of costs over all assignments of rows to different columns. */
  static double leastCost(double[][] costs) {
    int rows = costs.length;
    int columns = rows == 0 ? 0 : costs[0].length;
    double[] rowPrice = new double[rows + 1];
    double[] columnPrice = new double[columns + 1];
    int[] rowOf = new int[columns + 1];
    for (int row = 1; row <= rows; row++) {
      insert(costs, row, rowPrice, columnPrice, rowOf);
    }
    double sum = 0;
    for (int column = 1; column <= columns; column++) {
      sum += rowOf[column] == 0 ? 0 : costs[rowOf[column] - 1][column - 1];
    }
    return sum;
  }

  private static void insert(
      double[][] costs, int row, double[] rowPrice, double[] columnPrice, int[] rowOf) {
    int columns = columnPrice.length - 1;
    int[] way = new int[columns + 1];
    double[] slack = new double[columns + 1];
    boolean[] used = new boolean[columns + 1];
    Arrays.fill(slack, Double.POSITIVE_INFINITY);
    rowOf[0] = row;
    int at = 0;
    do {
      used[at] = true;
      double least = Double.POSITIVE_INFINITY;
      int next = 0;
      for (int column = 1; column <= columns; column++) {
        if (!used[column]) {
          double reduced =
              costs[rowOf[at] - 1][column - 1] - rowPrice[rowOf[at]] - columnPrice[column];
          if (reduced < slack[column]) {
            slack[column] = reduced;
            way[column] = at;
          }
          if (slack[column] < least) {
            least = slack[column];
            next = column;
          }
        }
      }
      for (int column = 0; column <= columns; column++) {
        if (used[column]) {
          rowPrice[rowOf[column]] += least;
          columnPrice[column] -= least;
        } else {
          slack[column] -= least;
        }
      }
      at = next;
    } while (rowOf[at] != 0);
    while (at != 0) {
      rowOf[at] = rowOf[way[at]];
      at = way[at];
    }
  }
}
