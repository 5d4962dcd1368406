package org.hyperslab.examples.flashio;

import java.util.Arrays;

/**
 * Takes variables of one rank out of the guarded array, each into the shape in which it is stored:
 * [block][z][y][x].
 *
 * <p>Thread rule: confined to one thread; the arrays are reused from call to call.
 */
final class FlashBlocks {

  /** From a cell's variable to the next cell's in the array of unknowns. */
  private static final int NEXT_CELL = FlashMesh.VARIABLES.size();

  private final FlashMesh mesh;
  private final double[] unknowns;
  private int rank = -1;
  private long fillNanos;

  FlashBlocks(FlashMesh mesh) {
    this.mesh = mesh;
    this.unknowns = new double[mesh.unknownsLength()];
  }

  /** Takes the place of a rank. */
  void become(int newRank) {
    if (rank != newRank) {
      long started = System.nanoTime();
      mesh.fill(newRank, unknowns);
      rank = newRank;
      fillNanos += System.nanoTime() - started;
    }
  }

  /** How long filling has taken since this was last asked: it is no part of writing. */
  long takeFillNanos() {
    long taken = fillNanos;
    fillNanos = 0;
    return taken;
  }

  /** Values of one variable on the present rank in a file. */
  int valueCount(FlashFile file) {
    return mesh.blocks(rank) * file.edge() * file.edge() * file.edge();
  }

  /**
   * Takes some variables in one pass, for those of a cell lie together.
   *
   * @param kind the file that they are for, which says whether at centres or corners
   * @param variables which
   * @param out for each an array, of doubles or floats as the file holds them
   */
  void take(FlashFile kind, int[] variables, Object[] out) {
    if (kind.isDoublePrecision()) {
      centres(variables, Arrays.copyOf(out, out.length, double[][].class));
    } else if (kind.isAtCorners()) {
      for (int i = 0; i < variables.length; i++) {
        corners(variables[i], (float[]) out[i]);
      }
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
   * One variable of a row of {@link FlashMesh#CELLS} cells. Written out, for with a loop the quick
   * compiler's code takes a quarter longer, and in a job of more ranks than cores that is the
   * compiler there is.
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
   * Puts the mean of the eight cells around each corner into {@code out}, guard cells taking part.
   */
  private void corners(int variable, float[] out) {
    int[] around = new int[8];
    for (int i = 0; i < around.length; i++) {
      around[i] = FlashMesh.at(0, i & 1, i >> 1 & 1, i >> 2, 0);
    }
    int to = 0;
    for (int row : rows(FlashMesh.CELLS + 1, FlashMesh.GUARD - 1)) {
      int from = row + variable;
      for (int x = 0; x <= FlashMesh.CELLS; x++) {
        double sum = 0;
        for (int offset : around) {
          sum += unknowns[from + x * NEXT_CELL + offset];
        }
        out[to++] = (float) (0.125 * sum);
      }
    }
  }

  /** Where the rows of the first variable begin that have {@code edge} cells from {@code first}. */
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
