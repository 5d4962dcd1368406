package org.hyperslab.examples.flashio;

/**
 * Takes one variable of one rank out of the guarded array into the shape in which it is stored:
 * [block][z][y][x].
 *
 * <p>Thread rule: confined to one thread; the arrays are reused from call to call.
 */
final class FlashBlocks {

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

  /** Copies a variable's interior cells into {@code out}. */
  void centres(int variable, double[] out) {
    int to = 0;
    for (int block = 0; block < mesh.blocks(rank); block++) {
      for (int z = 0; z < FlashMesh.CELLS; z++) {
        for (int y = 0; y < FlashMesh.CELLS; y++) {
          for (int x = 0; x < FlashMesh.CELLS; x++) {
            out[to++] = cell(variable, x, y, z, block);
          }
        }
      }
    }
  }

  /** As {@link #centres}, in single precision. */
  void centres(int variable, float[] out) {
    int to = 0;
    for (int block = 0; block < mesh.blocks(rank); block++) {
      for (int z = 0; z < FlashMesh.CELLS; z++) {
        for (int y = 0; y < FlashMesh.CELLS; y++) {
          for (int x = 0; x < FlashMesh.CELLS; x++) {
            out[to++] = (float) cell(variable, x, y, z, block);
          }
        }
      }
    }
  }

  /**
   * Puts the mean of the eight cells around each corner into {@code out}, guard cells taking part.
   */
  void corners(int variable, float[] out) {
    int edge = FlashMesh.CELLS + 1;
    int to = 0;
    for (int block = 0; block < mesh.blocks(rank); block++) {
      for (int z = 0; z < edge; z++) {
        for (int y = 0; y < edge; y++) {
          for (int x = 0; x < edge; x++) {
            out[to++] = corner(variable, x, y, z, block);
          }
        }
      }
    }
  }

  private float corner(int variable, int x, int y, int z, int block) {
    double sum = 0;
    for (int dz = -1; dz <= 0; dz++) {
      for (int dy = -1; dy <= 0; dy++) {
        for (int dx = -1; dx <= 0; dx++) {
          sum += cell(variable, x + dx, y + dy, z + dz, block);
        }
      }
    }
    return (float) (0.125 * sum);
  }

  private double cell(int variable, int x, int y, int z, int block) {
    int guard = FlashMesh.GUARD;
    return unknowns[FlashMesh.at(variable, x + guard, y + guard, z + guard, block)];
  }
}
