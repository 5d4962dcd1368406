package org.hyperslab.examples.kernels;

import java.util.Collections;
import java.util.List;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.datatype.TypeConstructor;
import org.hyperslab.mpiio.file.FileView;

/**
 * ROMIO's coll_perf (Thakur, Gropp and Lusk): a three-dimensional array of doubles that is
 * distributed in blocks over a grid of ranks, as nearly cubic as possible, by MPI's distributed
 * array datatype.
 *
 * @param z planes of the array
 * @param y rows of a plane
 * @param x elements of a row
 */
public record CollPerf(int z, int y, int x) implements IoKernel {

  /** 128 cubed: 16 MiB. */
  public static final CollPerf DEFAULT = new CollPerf(128, 128, 128);

  @Override
  public String name() {
    return "coll-perf";
  }

  @Override
  public String describe(int ranks) {
    int[] grid = Grids.nearlyCubic(ranks, 3);
    return z
        + " x "
        + y
        + " x "
        + x
        + " doubles over "
        + grid[2]
        + " x "
        + grid[1]
        + " x "
        + grid[0]
        + " ranks";
  }

  /** Returns the grid, with most ranks along planes and fewest along elements of a row. */
  private static long[] grid(int ranks) {
    int[] ascending = Grids.nearlyCubic(ranks, 3);
    return new long[] {ascending[2], ascending[1], ascending[0]};
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    long[] grid = grid(ranks);
    DerivedType mine =
        DerivedType.darray(
            new TypeConstructor.Place(rank, LongList.of(grid), ArrayOrder.C),
            LongList.of(z, y, x),
            Collections.nCopies(3, DimensionDistribution.block()),
            DerivedType.DOUBLE);
    long[] sizes = {z, y, x};
    long[] place = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    long[] first = new long[3];
    long[] count = new long[3];
    for (int d = 0; d < 3; d++) {
      long block = Math.ceilDiv(sizes[d], grid[d]);
      first[d] = Math.min(sizes[d], place[d] * block);
      count[d] = Math.min(sizes[d], first[d] + block) - first[d];
    }
    long row = 8 * count[2];
    return List.of(
        new Access(
            FileView.of(0, DerivedType.DOUBLE, mine),
            0,
            new Access.Memory(mine.size(), mine.size() / 8, DerivedType.DOUBLE),
            piece -> {
              for (long k = 0; k < count[0] && row > 0; k++) {
                for (long j = 0; j < count[1]; j++) {
                  long file = ((first[0] + k) * y + first[1] + j) * x + first[2];
                  piece.at(8 * file, (k * count[1] + j) * row, row);
                }
              }
            }));
  }

  @Override
  public long fileBytes(int ranks) {
    return 8L * z * y * x;
  }
}
