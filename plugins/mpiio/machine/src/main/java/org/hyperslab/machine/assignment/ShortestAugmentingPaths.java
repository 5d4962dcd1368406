package org.hyperslab.machine.assignment;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * The algorithm of Jonker and Volgenant on sparse rows. Invariants: every assigned row has its
 * column at the least reduced cost {@code cost - price[column]} of the row; a column that is not
 * assigned has price 0 unless the problem is square; a column that was assigned stays assigned.
 *
 * <p>If there are more columns than rows, the first two steps of the algorithm (column reduction
 * and reduction transfer) are skipped, because they would give prices to columns that stay free.
 */
final class ShortestAugmentingPaths {

  private static final int FREE = -1;

  /**
   * The greatest number of reductions per row in a pass: rounding errors in prices could otherwise
   * make a pass endless.
   */
  private static final int MAX_REDUCTIONS = 8;

  private final SparseCosts costs;
  private final double[] price;
  private final int[] rowOf;
  private final int[] columnOf;
  private final double[] distance;
  private final int[] from;
  private final boolean[] done;
  private final int[] touched;
  private final ColumnHeap heap;

  ShortestAugmentingPaths(SparseCosts costs) {
    this.costs = costs;
    int columns = costs.columnCount();
    price = new double[columns];
    rowOf = new int[columns];
    columnOf = new int[costs.rows()];
    distance = new double[columns];
    from = new int[columns];
    done = new boolean[columns];
    touched = new int[columns];
    heap = new ColumnHeap();
    Arrays.fill(rowOf, FREE);
    Arrays.fill(columnOf, FREE);
    Arrays.fill(distance, Double.POSITIVE_INFINITY);
  }

  /** Returns the column of each row. */
  int[] solve() {
    if (costs.rows() == costs.columnCount()) {
      reduceColumns();
    }
    for (int pass = 0; pass < 2; pass++) {
      reduceRows();
    }
    for (int row = 0; row < columnOf.length; row++) {
      if (columnOf[row] == FREE) {
        augment(row);
      }
    }
    return columnOf;
  }

  /**
   * Performs column reduction, then reduction transfer from rows that are the least of one column
   * only.
   */
  private void reduceColumns() {
    int[] least = new int[price.length];
    Arrays.fill(least, FREE);
    for (int row = 0; row < columnOf.length; row++) {
      for (int k = 0; k < costs.columns()[row].length; k++) {
        int column = costs.columns()[row][k];
        double cost = costs.costs()[row][k];
        if (least[column] == FREE || cost < price[column]) {
          least[column] = row;
          price[column] = cost;
        }
      }
    }
    int[] wins = new int[columnOf.length];
    for (int column = price.length - 1; column >= 0; column--) {
      int row = least[column];
      if (row != FREE && wins[row]++ == 0) {
        columnOf[row] = column;
        rowOf[column] = row;
      }
    }
    for (int row = 0; row < columnOf.length; row++) {
      if (wins[row] == 1) {
        transfer(row);
      }
    }
  }

  private void transfer(int row) {
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < costs.columns()[row].length; k++) {
      int column = costs.columns()[row][k];
      if (column != columnOf[row]) {
        least = Math.min(least, costs.costs()[row][k] - price[column]);
      }
    }
    if (least < Double.POSITIVE_INFINITY) {
      price[columnOf[row]] -= least;
    }
  }

  /**
   * Performs augmenting row reduction: each free row takes its best column and lowers its price.
   */
  private void reduceRows() {
    long left = (long) MAX_REDUCTIONS * columnOf.length;
    for (int free = 0; free < columnOf.length; free++) {
      int row = columnOf[free] == FREE ? free : FREE;
      while (row != FREE && left-- > 0) {
        row = reduceRow(row);
      }
    }
  }

  /** Returns the row that lost its column and should be reduced next; FREE if there is none. */
  private int reduceRow(int row) {
    double best = Double.POSITIVE_INFINITY;
    double second = Double.POSITIVE_INFINITY;
    int bestColumn = FREE;
    int secondColumn = FREE;
    int[] columns = costs.columns()[row];
    for (int k = 0; k < columns.length; k++) {
      double reduced = costs.costs()[row][k] - price[columns[k]];
      if (reduced < best) {
        second = best;
        secondColumn = bestColumn;
        best = reduced;
        bestColumn = columns[k];
      } else if (reduced < second) {
        second = reduced;
        secondColumn = columns[k];
      }
    }
    boolean cheaper = best < second && secondColumn != FREE;
    if (!cheaper && rowOf[bestColumn] != FREE) {
      if (secondColumn == FREE || rowOf[secondColumn] != FREE) {
        return FREE; // left to an augmenting path
      }
      bestColumn = secondColumn;
    }
    if (cheaper) {
      price[bestColumn] -= second - best;
    }
    int loser = rowOf[bestColumn];
    rowOf[bestColumn] = row;
    columnOf[row] = bestColumn;
    if (loser != FREE) {
      columnOf[loser] = FREE;
    }
    return loser;
  }

  /** Finds a shortest path from a free row to a free column, corrects prices, and swaps along. */
  private void augment(int freeRow) {
    int count = scan(freeRow, 0, 0);
    int end = FREE;
    double shortest = 0;
    while (end == FREE) {
      int column = heap.isEmpty() ? FREE : heap.pop();
      if (column == FREE) {
        throw new InvalidUseException(
            "assignment: actual=no assignment for the allowed pairs, expected=one, at=row "
                + freeRow);
      }
      if (done[column]) {
        continue;
      }
      shortest = distance[column];
      if (rowOf[column] == FREE) {
        end = column;
      } else {
        done[column] = true;
        count = scanFrom(column, shortest, count);
      }
    }
    for (int i = 0; i < count; i++) {
      int column = touched[i];
      if (done[column]) {
        price[column] += distance[column] - shortest;
        done[column] = false;
      }
      distance[column] = Double.POSITIVE_INFINITY;
    }
    heap.clear();
    swap(end, freeRow);
  }

  private int scanFrom(int column, double shortest, int count) {
    int row = rowOf[column];
    return scan(row, costs.cost(row, column) - price[column] - shortest, count);
  }

  /** Relaxes the edges of a row, whose own reduced cost is {@code base}. */
  private int scan(int row, double base, int touchedBefore) {
    int count = touchedBefore;
    int[] columns = costs.columns()[row];
    double[] values = costs.costs()[row];
    for (int k = 0; k < columns.length; k++) {
      int column = columns[k];
      double length = values[k] - price[column] - base;
      if (length < distance[column] && !done[column]) {
        if (distance[column] == Double.POSITIVE_INFINITY) {
          touched[count++] = column;
        }
        distance[column] = length;
        from[column] = row;
        heap.push(length, column, rowOf[column] == FREE);
      }
    }
    return count;
  }

  private void swap(int end, int freeRow) {
    int column = end;
    int row;
    do {
      row = from[column];
      rowOf[column] = row;
      int next = columnOf[row];
      columnOf[row] = column;
      column = next;
    } while (row != freeRow);
  }
}
