package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * A lattice of four dimensions, as in lattice gauge theory, divided into equal blocks among a grid
 * of ranks; the data of a site are contiguous. (In mpich issue 7935, exchanging within rows of the
 * grid is far better for this pattern than exchanging with all.)
 *
 * @param edge sites along each edge, a multiple of the ranks along it
 * @param siteBytes bytes of a site
 */
record Lattice(int edge, int siteBytes) implements IoKernel {

  private static final int DIMENSIONS = 4;

  @Override
  public String name() {
    return "lattice";
  }

  @Override
  public String describe(int ranks) {
    return edge + "^4 sites of " + siteBytes + " bytes";
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    int[] grid = Grids.nearlyCubic(ranks, DIMENSIONS);
    long[] shape = new long[DIMENSIONS];
    long[] start = new long[DIMENSIONS];
    long[] count = new long[DIMENSIONS];
    int rest = rank;
    for (int d = DIMENSIONS - 1; d >= 0; d--) {
      if (edge % grid[d] != 0) {
        throw new InvalidUseException(
            "edge of the lattice: actual=" + edge + ", expected=a multiple of " + grid[d]);
      }
      shape[d] = edge;
      count[d] = edge / grid[d];
      start[d] = rest % grid[d] * count[d];
      rest /= grid[d];
    }
    return List.of(Blocks.of(0, shape, start, count, siteBytes));
  }

  @Override
  public long fileBytes(int ranks) {
    return (long) edge * edge * edge * edge * siteBytes;
  }
}
