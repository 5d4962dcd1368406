package org.hyperslab.mpiio.datatype;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Makes random datatypes of bounded size. */
public final class RandomTypes {

  private static final List<ElementaryType> ELEMENTARY =
      List.of(
          ElementaryType.BYTE,
          ElementaryType.INT16,
          ElementaryType.INT32,
          ElementaryType.INT64,
          ElementaryType.FLOAT,
          ElementaryType.DOUBLE,
          ElementaryType.DOUBLE_COMPLEX);

  private final Random random;
  private final boolean marksInStructures;

  public RandomTypes(Random random) {
    this(random, true);
  }

  /**
   * Random types.
   *
   * @param marksInStructures whether structures may hold types with explicit bounds: such bounds
   *     override those of the data in the standard and in Open MPI, but not in MPICH 4.0
   */
  RandomTypes(Random random, boolean marksInStructures) {
    this.random = random;
    this.marksInStructures = marksInStructures;
  }

  /**
   * Any type: runs in any order, negative displacements, overlaps. It is never made of types
   * without data, about whose bounds implementations disagree.
   */
  public DerivedType any(int depth) {
    while (true) {
      DerivedType type = depth == 0 ? elementary() : derived(depth);
      if (type.size() <= 1 << 14 && type.trueExtent() < 1 << 20 && type.extent() < 1 << 20) {
        return type;
      }
    }
  }

  /** A type whose bytes ascend and lie at or above 0, fit for the view of a file. */
  public DerivedType ascending(DerivedType etype, int depth) {
    DerivedType type = etype;
    for (int i = 0; i < depth; i++) {
      DerivedType next = spread(type);
      type = next.size() <= 1 << 12 && next.extent() < 1 << 16 ? next : type;
    }
    return type;
  }

  private DerivedType spread(DerivedType old) {
    int n = 1 + random.nextInt(4);
    return switch (random.nextInt(6)) {
      case 0 -> DerivedType.contiguous(n, old);
      case 1 -> {
        int length = 1 + random.nextInt(3);
        yield DerivedType.vector(n, length, length + random.nextInt(3), old);
      }
      case 2 -> {
        long[] places = new long[n];
        for (int i = 1; i < n; i++) {
          places[i] = places[i - 1] + 1 + random.nextInt(3);
        }
        yield DerivedType.indexedBlock(1, LongList.of(places), old);
      }
      case 3 -> subarray(old);
      case 4 -> darray(old);
      default -> DerivedType.resized(0, old.extent() * (1 + random.nextInt(3)), old);
    };
  }

  private DerivedType some(int depth) {
    DerivedType type = any(depth);
    while (type.size() == 0) {
      type = any(depth);
    }
    return type;
  }

  public DerivedType elementary() {
    return DerivedType.of(ELEMENTARY.get(random.nextInt(ELEMENTARY.size())));
  }

  private DerivedType derived(int depth) {
    DerivedType old = some(depth - 1);
    int n = random.nextInt(5);
    long length = random.nextInt(4);
    return switch (random.nextInt(12)) {
      case 0 -> DerivedType.contiguous(n, old);
      case 1 -> DerivedType.vector(n, length, stride(old), old);
      case 2 -> DerivedType.hvector(n, length, 16 * signed(12), old);
      case 3 -> DerivedType.indexed(lengths(n), places(n, 1), old);
      case 4 -> DerivedType.hindexed(lengths(n), places(n, 16), old);
      case 5 -> DerivedType.indexedBlock(length, places(n, 1), old);
      case 6 -> DerivedType.hindexedBlock(length, places(n, 16), old);
      case 7 -> struct(n, depth);
      case 8, 9 -> subarray(old);
      case 10 -> darray(old);
      default -> DerivedType.resized(16 * signed(4), 16 * (1 + random.nextInt(20)), old);
    };
  }

  /**
   * Open MPI rounds the extent up after each member and keeps what an earlier rounding added; MPICH
   * rounds that of a member and then the whole; the standard rounds the type map's, once. So
   * members differ in alignment only where explicit bounds make that irrelevant.
   */
  private DerivedType struct(int n, int depth) {
    while (true) {
      List<DerivedType> types = new ArrayList<>();
      IntStream.range(0, n).forEach(_ -> types.add(member(depth - 1)));
      DerivedType made = DerivedType.struct(lengths(n), places(n, 16), types);
      boolean marked = !made.bounds().upperMarks().isEmpty();
      boolean even = types.stream().map(t -> t.bounds().alignment()).distinct().count() <= 1;
      if (marked || even) {
        return made;
      }
    }
  }

  private DerivedType member(int depth) {
    DerivedType type = some(depth);
    while (!marksInStructures && !type.bounds().lowerMarks().isEmpty()) {
      type = some(depth);
    }
    return type;
  }

  private DerivedType subarray(DerivedType old) {
    int rank = 1 + random.nextInt(3);
    long[] sizes = new long[rank];
    long[] subsizes = new long[rank];
    long[] starts = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = 1 + random.nextInt(6);
      subsizes[i] = 1 + random.nextInt((int) sizes[i]);
      starts[i] = random.nextInt((int) (sizes[i] - subsizes[i] + 1));
    }
    return DerivedType.subarray(
        LongList.of(sizes), LongList.of(subsizes), LongList.of(starts), order(), old);
  }

  private DerivedType darray(DerivedType old) {
    int rank = 1 + random.nextInt(3);
    long[] sizes = new long[rank];
    long[] grid = new long[rank];
    List<DimensionDistribution> how = new ArrayList<>();
    int processes = 1;
    for (int i = 0; i < rank; i++) {
      sizes[i] = 1 + random.nextInt(9);
      grid[i] = 1 + random.nextInt(3);
      long least = Math.ceilDiv(sizes[i], grid[i]);
      how.add(
          switch (random.nextInt(7)) {
            case 0 -> {
              grid[i] = 1;
              yield DimensionDistribution.none();
            }
            case 1 -> DimensionDistribution.block();
            case 2 -> DimensionDistribution.block(least + random.nextInt(3));
            case 3 -> DimensionDistribution.cyclic();
            case 4 -> DimensionDistribution.balanced();
            case 5 -> DimensionDistribution.random(1 + random.nextInt(3));
            default -> DimensionDistribution.cyclic(1 + random.nextInt(4));
          });
      processes *= (int) grid[i];
    }
    TypeConstructor.Place place =
        new TypeConstructor.Place(random.nextInt(processes), LongList.of(grid), order());
    return DerivedType.darray(place, LongList.of(sizes), how, old);
  }

  private ArrayOrder order() {
    return random.nextBoolean() ? ArrayOrder.C : ArrayOrder.FORTRAN;
  }

  /** Open MPI takes a vector of single bytes with the stride -1 for one of stride 1. */
  private long stride(DerivedType old) {
    return old.extent() == 1 ? random.nextInt(7) : signed(6);
  }

  private long signed(int bound) {
    return random.nextInt(2 * bound + 1) - bound;
  }

  private LongList lengths(int n) {
    return LongList.of(LongStream.range(0, n).map(_ -> random.nextInt(4)).toArray());
  }

  private LongList places(int n, int factor) {
    return LongList.of(LongStream.range(0, n).map(_ -> factor * signed(12)).toArray());
  }
}
