package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.file.FileView;

/**
 * NAS BT-IO, full version (Wong and Van der Wijngaart, NAS-03-002): the solution of a
 * block-tridiagonal solver, five doubles for each point of a cube, appended to a file every few
 * time steps. The cube is distributed by diagonal multipartitioning: with q² ranks there are q³
 * cells, and each rank has one cell in each of q layers, in the next layer one further in x and one
 * back in y (NPB's make_set). In memory a cell has two ghost points on each side, which are not
 * written.
 *
 * @param points points along an edge of the cube, a multiple of q
 * @param steps the number of times that the solution is written
 */
public record BtIo(int points, int steps) implements IoKernel {

  /** Class S writes 12 points; this is a little more, and divisible by many. */
  public static final BtIo DEFAULT = new BtIo(48, 5);

  private static final int DOUBLES = 5;
  private static final int GHOST = 2;
  private static final long POINT_BYTES = 8L * DOUBLES;

  @Override
  public String name() {
    return "bt-io";
  }

  @Override
  public String describe(int ranks) {
    return points + "^3 points of 5 doubles, " + steps + " steps, " + layers(ranks) + "^2 ranks";
  }

  /** Returns q, the square root of the number of ranks. */
  private int layers(int ranks) {
    int q = (int) Math.round(Math.sqrt(ranks));
    if (q * q != ranks) {
      throw new InvalidUseException("ranks of bt-io: actual=" + ranks + ", expected=a square");
    }
    if (points % q != 0) {
      throw new InvalidUseException(
          "points of bt-io: actual=" + points + ", expected=a multiple of " + q);
    }
    return q;
  }

  /** Returns the first point of the rank's cell of a layer: z, y, x. */
  private static long[] corner(int rank, int q, int layer, int edge) {
    long x = (long) ((rank % q + layer) % q) * edge;
    long y = (long) Math.floorMod(rank / q - layer, q) * edge;
    return new long[] {(long) layer * edge, y, x};
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    int q = layers(ranks);
    int edge = points / q;
    int guarded = edge + 2 * GHOST;
    DerivedType point = DerivedType.contiguous(DOUBLES, DerivedType.DOUBLE);
    DerivedType interior =
        DerivedType.subarray(
            LongList.repeated(guarded, 3),
            LongList.repeated(edge, 3),
            LongList.repeated(GHOST, 3),
            ArrayOrder.C,
            point);
    List<DerivedType> cells = new ArrayList<>();
    for (int layer = 0; layer < q; layer++) {
      cells.add(
          DerivedType.subarray(
              LongList.repeated(points, 3),
              LongList.repeated(edge, 3),
              LongList.of(corner(rank, q, layer, edge)),
              ArrayOrder.C,
              point));
    }
    DerivedType solution =
        DerivedType.struct(LongList.repeated(1, q), LongList.repeated(0, q), cells);
    FileView view = FileView.of(0, DerivedType.DOUBLE, solution);
    long doubles = (long) DOUBLES * edge * edge * edge * q;
    Access.Memory memory = new Access.Memory(interior.extent() * q, q, interior);
    List<Access> accesses = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      long base = step * cubeBytes();
      accesses.add(new Access(view, step * doubles, memory, piece -> rows(piece, base, rank, q)));
    }
    return accesses;
  }

  private void rows(Access.Piece piece, long base, int rank, int q) {
    int edge = points / q;
    long guarded = edge + 2L * GHOST;
    for (int layer = 0; layer < q; layer++) {
      long[] corner = corner(rank, q, layer, edge);
      for (int z = 0; z < edge; z++) {
        for (int y = 0; y < edge; y++) {
          long file = ((corner[0] + z) * points + corner[1] + y) * points + corner[2];
          long memory = ((layer * guarded + z + GHOST) * guarded + y + GHOST) * guarded + GHOST;
          piece.at(base + file * POINT_BYTES, memory * POINT_BYTES, edge * POINT_BYTES);
        }
      }
    }
  }

  private long cubeBytes() {
    return POINT_BYTES * points * points * points;
  }

  @Override
  public long fileBytes(int ranks) {
    return steps * cubeBytes();
  }
}
