package org.hyperslab.mpiio.datatype;

import static org.hyperslab.mpiio.datatype.DerivedType.require;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hyperslab.mpiio.datatype.DimensionDistribution.Kind;

/**
 * Builds the parts of distributed arrays whose distributions MPI does not have: one dimension after
 * the other, from the one that varies fastest, each an indexed type of the one before.
 */
final class NestedDistributions {

  /** The greatest number of blocks of a dimension, which are listed. */
  private static final long MAX_BLOCKS = 1 << 24;

  private NestedDistributions() {}

  /** Returns whether {@code MPI_Type_create_darray} does not have a distribution. */
  static boolean isNeeded(DimensionDistribution how) {
    return how.kind() == Kind.BALANCED || how.kind() == Kind.RANDOM;
  }

  static DerivedType of(
      TypeConstructor.Place place,
      LongList sizes,
      List<DimensionDistribution> distributions,
      DerivedType old) {
    int rank = sizes.size();
    long[] coordinates = ArrayTypeMaps.coordinates(place, rank, distributions.size());
    DerivedType type = old;
    for (int i = 0; i < rank; i++) {
      int dim = place.order() == ArrayOrder.C ? rank - 1 - i : i;
      require(sizes.get(dim) >= 1, "size of dimension " + dim, sizes.get(dim), "at least 1");
      Share share = new Share(sizes.get(dim), place.grid().get(dim), coordinates[dim]);
      type = share.of(distributions.get(dim), type);
    }
    return type;
  }

  /** The place of a process in one dimension. */
  private record Share(long size, long processes, long process) {

    DerivedType of(DimensionDistribution how, DerivedType old) {
      return switch (how.kind()) {
        case NONE, BLOCK, CYCLIC ->
            DerivedType.darray(
                new TypeConstructor.Place(
                    Math.toIntExact(process), LongList.of(processes), ArrayOrder.C),
                LongList.of(size),
                List.of(how),
                old);
        case BALANCED -> balanced(old);
        case RANDOM -> random(how, old);
      };
    }

    private DerivedType balanced(DerivedType old) {
      long more = size % processes;
      long length = size / processes + (process < more ? 1 : 0);
      long start = process * (size / processes) + Math.min(process, more);
      return blocks(new long[] {length}, new long[] {start}, old);
    }

    private DerivedType random(DimensionDistribution how, DerivedType old) {
      long k = how.argument();
      require(k >= 1, "argument of the distribution", how, "at least 1");
      long count = Math.ceilDiv(size, k);
      require(count <= MAX_BLOCKS, "blocks of a dimension", count, "at most " + MAX_BLOCKS);
      int[] order = shuffled((int) count);
      int mine = (int) Math.ceilDiv(Math.max(0, count - process), processes);
      long[] starts = new long[mine];
      for (int i = 0; i < mine; i++) {
        starts[i] = order[(int) (process + i * processes)] * k;
      }
      Arrays.sort(starts);
      long[] lengths = Arrays.stream(starts).map(start -> Math.min(k, size - start)).toArray();
      return blocks(lengths, starts, old);
    }

    private DerivedType blocks(long[] lengths, long[] starts, DerivedType old) {
      long[] bytes =
          Arrays.stream(starts).map(start -> Math.multiplyExact(start, old.extent())).toArray();
      DerivedType part = DerivedType.hindexed(LongList.of(lengths), LongList.of(bytes), old);
      return DerivedType.resized(0, Math.multiplyExact(size, old.extent()), part);
    }
  }

  /** Returns the numbers below {@code count} in an order that depends on nothing else. */
  private static int[] shuffled(int count) {
    SplittableRandom random = new SplittableRandom(count);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
