package org.hyperslab.machine.assignment;

import java.util.Arrays;
import java.util.Comparator;
import org.hyperslab.error.InvalidUseException;

/**
 * The relevant pairs of an assignment problem: for each row, ascending columns and their costs.
 *
 * @param columnCount the number of columns of the problem
 * @param columns the columns of each row, ascending
 * @param costs the costs of the same pairs
 */
record SparseCosts(int columnCount, int[][] columns, double[][] costs) {

  /** Keeps the n cheapest columns of each row, where n is the number of rows. */
  static SparseCosts of(CostRows rows) {
    int[][] columns = new int[rows.rows()][];
    double[][] costs = new double[rows.rows()][];
    int[] names = new int[rows.columns()];
    double[] values = new double[rows.columns()];
    double[] scratch = new double[rows.columns()];
    for (int row = 0; row < columns.length; row++) {
      int count = rows.row(row, names, values);
      check(row, count, names, values, rows.columns());
      int kept = prune(count, rows.rows(), names, values, scratch);
      columns[row] = Arrays.copyOf(names, kept);
      costs[row] = Arrays.copyOf(values, kept);
      sort(columns[row], costs[row]);
    }
    return new SparseCosts(rows.columns(), columns, costs);
  }

  private static void check(int row, int count, int[] names, double[] values, int columns) {
    for (int i = 0; i < count; i++) {
      if (!Double.isFinite(values[i]) || names[i] < 0 || names[i] >= columns) {
        throw new InvalidUseException(
            ("assignment: actual=cost %s, expected=a finite number and a column below %d,"
                    + " at=row %d, column %d")
                .formatted(values[i], columns, row, names[i]));
      }
    }
    if (count == 0) {
      throw new InvalidUseException(
          "assignment: actual=no column allowed, expected=at least one, at=row " + row);
    }
  }

  /** Moves the cheapest columns to the front, without order, and returns the number kept. */
  private static int prune(int count, int most, int[] names, double[] values, double[] scratch) {
    if (count <= most) {
      return count;
    }
    System.arraycopy(values, 0, scratch, 0, count);
    double limit = select(scratch, count, most - 1);
    int below = 0;
    for (int i = 0; i < count; i++) {
      below += values[i] < limit ? 1 : 0;
    }
    int equal = most - below;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      boolean takes = values[i] < limit || (values[i] == limit && equal-- > 0);
      if (takes) {
        names[kept] = names[i];
        values[kept++] = values[i];
      }
    }
    return kept;
  }

  /** Returns the k-th smallest, from 0, of the first {@code count} values, which it reorders. */
  private static double select(double[] values, int count, int k) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      double middle = values[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < middle) {
          i++;
        }
        while (values[j] > middle) {
          j--;
        }
        if (i <= j) {
          double swap = values[i];
          values[i++] = values[j];
          values[j--] = swap;
        }
      }
      if (k <= j) {
        high = j;
      } else if (k >= i) {
        low = i;
      } else {
        return values[k];
      }
    }
    return values[k];
  }

  private static void sort(int[] columns, double[] costs) {
    boolean sorted = true;
    for (int i = 1; i < columns.length; i++) {
      if (columns[i - 1] == columns[i]) {
        throw new InvalidUseException(
            "assignment: actual=column " + columns[i] + " twice in a row, expected=once");
      }
      sorted &= columns[i - 1] < columns[i];
    }
    if (sorted) {
      return;
    }
    Integer[] order = new Integer[columns.length];
    Arrays.setAll(order, i -> i);
    int[] names = columns.clone();
    double[] values = costs.clone();
    Arrays.sort(order, Comparator.comparingInt(i -> names[i]));
    for (int i = 0; i < order.length; i++) {
      columns[i] = names[order[i]];
      costs[i] = values[order[i]];
    }
    sort(columns, costs);
  }

  int rows() {
    return columns.length;
  }

  double cost(int row, int column) {
    return costs[row][Arrays.binarySearch(columns[row], column)];
  }
}
