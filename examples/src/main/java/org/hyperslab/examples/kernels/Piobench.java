package org.hyperslab.examples.kernels;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.datatype.TypeConstructor;
import org.hyperslab.mpiio.file.FileView;

/**
 * The access patterns of PIOBENCH (Nitzberg, Collective Parallel I/O, 1995): an array of doubles
 * that is distributed over a grid of ranks, as nearly cubic as possible, each dimension in its own
 * way. The grid has one rank in dimensions that are not distributed.
 *
 * @param sizes the array's lengths, slowest dimension first
 * @param distributions one for each dimension
 */
record Piobench(List<Integer> sizes, List<DimensionDistribution> distributions)
    implements IoKernel {

  Piobench {
    if (sizes.isEmpty() || sizes.size() != distributions.size()) {
      throw new InvalidUseException(
          "piobench: actual="
              + distributions.size()
              + " distributions, expected=one for each of "
              + sizes.size()
              + " dimensions");
    }
    sizes = List.copyOf(sizes);
    distributions = List.copyOf(distributions);
  }

  @Override
  public String name() {
    return "piobench";
  }

  @Override
  public String describe(int ranks) {
    return texts(sizes)
        + " doubles over "
        + texts(Arrays.stream(grid(ranks)).boxed().toList())
        + " ranks, "
        + distributions;
  }

  private static String texts(List<? extends Number> lengths) {
    return lengths.stream().map(String::valueOf).collect(Collectors.joining(" x "));
  }

  /** Returns the grid, with most ranks along the slowest dimension. */
  private long[] grid(int ranks) {
    int[] divided =
        IntStream.range(0, sizes.size())
            .filter(d -> distributions.get(d).kind() != DimensionDistribution.Kind.NONE)
            .toArray();
    if (divided.length == 0 && ranks > 1) {
      throw new InvalidUseException(
          "piobench: actual=" + ranks + " ranks, expected=1, because no dimension is distributed");
    }
    long[] grid = new long[sizes.size()];
    Arrays.fill(grid, 1);
    int[] ascending = divided.length == 0 ? divided : Grids.nearlyCubic(ranks, divided.length);
    for (int i = 0; i < divided.length; i++) {
      grid[divided[i]] = ascending[divided.length - 1 - i];
    }
    return grid;
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    long[] grid = grid(ranks);
    long[] lengths = sizes.stream().mapToLong(Integer::longValue).toArray();
    DerivedType mine =
        DerivedType.darray(
            new TypeConstructor.Place(rank, LongList.of(grid), ArrayOrder.C),
            LongList.of(lengths),
            distributions,
            DerivedType.DOUBLE);
    int[][] owned = owned(rank, grid);
    return List.of(
        new Access(
            FileView.of(0, DerivedType.DOUBLE, mine),
            0,
            new Access.Memory(mine.size(), mine.size() / Double.BYTES, DerivedType.DOUBLE),
            piece -> rows(piece, owned, 0, 0, 0)));
  }

  /** Returns the indices in each dimension that belong to a rank, ascending. */
  private int[][] owned(int rank, long[] grid) {
    int[][] owned = new int[grid.length][];
    long rest = rank; // ranks are numbered with the last dimension varying fastest
    for (int d = grid.length - 1; d >= 0; d--) {
      int ranks = Math.toIntExact(grid[d]);
      IntPredicate has = share(distributions.get(d), sizes.get(d), ranks, (int) (rest % ranks));
      owned[d] = IntStream.range(0, sizes.get(d)).filter(has).toArray();
      rest /= ranks;
    }
    return owned;
  }

  /**
   * Returns which indices of a dimension a rank has; computed index by index, without a datatype.
   */
  private static IntPredicate share(DimensionDistribution how, int size, int ranks, int rank) {
    int k = (int) how.argument();
    return switch (how.kind()) {
      case NONE -> index -> true;
      case BLOCK -> {
        int block = k > 0 ? k : Math.ceilDiv(size, ranks);
        yield index -> index / block == rank;
      }
      case CYCLIC -> index -> index / Math.max(1, k) % ranks == rank;
      case BALANCED -> {
        int longer = size % ranks * (size / ranks + 1); // the indices in the longer blocks
        yield index ->
            rank
                == (index < longer
                    ? index / (size / ranks + 1)
                    : size % ranks + (index - longer) / (size / ranks));
      }
      case RANDOM -> {
        int[] turn = turns(Math.ceilDiv(size, Math.max(1, k)));
        yield index -> turn[index / Math.max(1, k)] % ranks == rank;
      }
    };
  }

  /** Returns, for each block of a random distribution, when it is assigned. */
  private static int[] turns(int blocks) {
    SplittableRandom random = new SplittableRandom(blocks);
    int[] order = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      int place = random.nextInt(i + 1);
      order[i] = order[place];
      order[place] = i;
    }
    int[] turn = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      turn[order[i]] = i;
    }
    return turn;
  }

  /**
   * Visits the runs of this and the faster dimensions.
   *
   * @param index the index of the row in all slower dimensions
   * @param memory the row's position in memory, in elements
   * @return the position in memory behind it
   */
  private long rows(Access.Piece piece, int[][] owned, int dimension, long index, long memory) {
    int[] here = owned[dimension];
    boolean last = dimension == owned.length - 1;
    long at = memory;
    for (int i = 0; i < here.length; ) {
      long element = index * sizes.get(dimension) + here[i];
      int end = i + 1;
      if (!last) {
        at = rows(piece, owned, dimension + 1, element, at);
      } else {
        while (end < here.length && here[end] == here[end - 1] + 1) {
          end++;
        }
        long run = (long) Double.BYTES * (end - i);
        piece.at(Double.BYTES * element, Double.BYTES * at, run);
        at += end - i;
      }
      i = end;
    }
    return at;
  }

  @Override
  public long fileBytes(int ranks) {
    return sizes.stream().mapToLong(Integer::longValue).reduce(Double.BYTES, Math::multiplyExact);
  }
}
