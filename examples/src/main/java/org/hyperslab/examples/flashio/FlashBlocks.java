package org.hyperslab.examples.flashio;

import java.util.Arrays;

/**
 * Extracts variables of one rank from the guarded array, each into its stored shape:
 * [block][z][y][x].
 *
 * <p>Thread rule: confined to one thread; the arrays are reused from call to call.
 */
final class FlashBlocks {

  /** The distance from a cell's variable to the next cell's in the array of unknowns. */
  private static final int NEXT_CELL = FlashMesh.VARIABLES.size();

  private final FlashMesh mesh;
  private final double[] unknowns;
  private int rank = -1;
  private long fillNanos;

  FlashBlocks(FlashMesh mesh) {
    this.mesh = mesh;
    this.unknowns = new double[mesh.unknownsLength()];
  }

  /** Switches to another rank. */
  void become(int newRank) {
    if (rank != newRank) {
      long started = System.nanoTime();
      mesh.fill(newRank, unknowns);
      rank = newRank;
      fillNanos += System.nanoTime() - started;
    }
  }

  /** Returns the time of filling since the last call, which is not part of writing. */
  long takeFillNanos() {
    long taken = fillNanos;
    fillNanos = 0;
    return taken;
  }

  /** Returns the number of values of one variable of the current rank in a file. */
  int valueCount(FlashFile file) {
    return mesh.blocks(rank) * file.edge() * file.edge() * file.edge();
  }

  /**
   * Extracts some variables in one pass, because the variables of a cell are adjacent.
   *
   * @param kind the file, which determines whether values are at centres or corners
   * @param variables the variables
   * @param out an array for each, of doubles or floats as in the file
   */
  void take(FlashFile kind, int[] variables, Object[] out) {
    if (kind.isDoublePrecision()) {
      centres(variables, Arrays.copyOf(out, out.length, double[][].class));
    } else if (kind.isAtCorners()) {
      corners(variables, Arrays.copyOf(out, out.length, float[][].class));
    } else {
      centres(variables, Arrays.copyOf(out, out.length, float[][].class));
    }
  }

  private void centres(int[] variables, double[][] out) {
    int to = 0;
    for (int row : rows(FlashMesh.CELLS, FlashMesh.GUARD)) {
      for (int v = 0; v < variables.length; v++) {
        takeRow(unknowns, row + variables[v], out[v], to);
      }
      to += FlashMesh.CELLS;
    }
  }

  /**
   * One variable of a row of {@link FlashMesh#CELLS} cells. The loop is unrolled, because the C1
   * compiler, on which a job of more ranks than cores runs, does not unroll it.
   */
  private static void takeRow(double[] cells, int from, double[] values, int to) {
    values[to] = cells[from];
    values[to + 1] = cells[from + NEXT_CELL];
    values[to + 2] = cells[from + 2 * NEXT_CELL];
    values[to + 3] = cells[from + 3 * NEXT_CELL];
    values[to + 4] = cells[from + 4 * NEXT_CELL];
    values[to + 5] = cells[from + 5 * NEXT_CELL];
    values[to + 6] = cells[from + 6 * NEXT_CELL];
    values[to + 7] = cells[from + 7 * NEXT_CELL];
  }

  private void centres(int[] variables, float[][] out) {
    int to = 0;
    for (int row : rows(FlashMesh.CELLS, FlashMesh.GUARD)) {
      for (int v = 0; v < variables.length; v++) {
        float[] values = out[v];
        int from = row + variables[v];
        for (int x = 0; x < FlashMesh.CELLS; x++) {
          values[to + x] = (float) unknowns[from + x * NEXT_CELL];
        }
      }
      to += FlashMesh.CELLS;
    }
  }

  /**
   * Stores the mean of the eight cells around each corner, including guard cells, in {@code out}.
   * The cells for a block's corners are first copied together, because a corner's eight neighbours
   * lie in eight cache lines of the array of unknowns.
   */
  private void corners(int[] variables, float[][] out) {
    int edge = FlashMesh.CELLS + 2;
    double[][] cells = new double[variables.length][edge * edge * edge];
    int to = 0;
    for (int block = 0; block < mesh.blocks(rank); block++) {
      int row = 0;
      for (int z = 0; z < edge; z++) {
        for (int y = 0; y < edge; y++) {
          int first = FlashMesh.GUARD - 1;
          int from = FlashMesh.at(0, first, first + y, first + z, block);
          for (int v = 0; v < variables.length; v++) {
            double[] values = cells[v];
            for (int x = 0; x < edge; x++) {
              values[row + x] = unknowns[from + variables[v] + x * NEXT_CELL];
            }
          }
          row += edge;
        }
      }
      for (int v = 0; v < variables.length; v++) {
        means(cells[v], out[v], to);
      }
      to += (edge - 1) * (edge - 1) * (edge - 1);
    }
  }

  /**
   * Computes the corners of one block. The order of the sum is x, y, z, which determines its
   * rounding.
   */
  private static void means(double[] c, float[] out, int first) {
    int y = FlashMesh.CELLS + 2;
    int z = y * y;
    int to = first;
    for (int plane = 0; plane < z * (y - 1); plane += z) {
      for (int row = plane; row < plane + z - y; row += y) {
        for (int i = row; i < row + y - 1; i++) {
          double low = c[i] + c[i + 1] + c[i + y] + c[i + y + 1];
          double sum = low + c[i + z] + c[i + z + 1] + c[i + z + y] + c[i + z + y + 1];
          out[to++] = (float) (0.125 * sum);
        }
      }
    }
  }

  /**
   * Returns where the rows of the first variable begin that have {@code edge} cells from {@code
   * first}.
   */
  private int[] rows(int edge, int first) {
    int[] rows = new int[mesh.blocks(rank) * edge * edge];
    int row = 0;
    for (int block = 0; block < mesh.blocks(rank); block++) {
      for (int z = first; z < first + edge; z++) {
        for (int y = first; y < first + edge; y++) {
          rows[row++] = FlashMesh.at(0, first, y, z, block);
        }
      }
    }
    return rows;
  }
}
