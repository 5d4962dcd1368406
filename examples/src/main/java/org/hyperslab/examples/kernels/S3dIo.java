package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * S3D I/O, Northwestern University's kernel of the combustion code S3D: a checkpoint of four arrays
 * of doubles, one after the other. The arrays are 11 species, temperature, pressure and 3
 * velocities, each over a cube of points that is divided among a grid of ranks; the first dimension
 * is not divided.
 *
 * @param points points along an edge of the cube, a multiple of the ranks along it
 */
record S3dIo(int points) implements IoKernel {

  private static final int[] COMPONENTS = {11, 1, 1, 3};
  private static final int ALL_COMPONENTS = 16;
  private static final int DIMENSIONS = 3;

  @Override
  public String name() {
    return "s3d-io";
  }

  @Override
  public String describe(int ranks) {
    return points + "^3 points of 16 doubles in 4 arrays";
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    int[] grid = Grids.nearlyCubic(ranks, DIMENSIONS);
    List<Access> accesses = new ArrayList<>();
    long base = 0;
    for (int components : COMPONENTS) {
      long[] shape = {components, points, points, points};
      long[] start = new long[DIMENSIONS + 1];
      long[] count = {components, 0, 0, 0};
      int rest = rank;
      for (int d = DIMENSIONS; d > 0; d--) {
        int side = grid[d - 1];
        if (points % side != 0) {
          throw new InvalidUseException(
              "points of s3d-io: actual=" + points + ", expected=a multiple of " + side);
        }
        count[d] = points / side;
        start[d] = rest % side * count[d];
        rest /= side;
      }
      accesses.add(Blocks.of(base, shape, start, count, Double.BYTES));
      base += components * cubeBytes();
    }
    return accesses;
  }

  private long cubeBytes() {
    return (long) points * points * points * Double.BYTES;
  }

  @Override
  public long fileBytes(int ranks) {
    return ALL_COMPONENTS * cubeBytes();
  }
}
