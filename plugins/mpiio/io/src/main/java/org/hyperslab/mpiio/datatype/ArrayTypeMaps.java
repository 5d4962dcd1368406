package org.hyperslab.mpiio.datatype;

import static org.hyperslab.mpiio.datatype.DerivedType.require;

import java.util.List;

/**
 * Builds type maps of parts of arrays: boxes, and the shares of a process in the distributions of
 * High Performance Fortran. Both wrap the old type in one dimension after the other, from the one
 * that varies fastest, and have the extent of the whole array (MPI 4.1, sections 5.1.3 and 5.1.4).
 */
final class ArrayTypeMaps {

  /** The map of the dimensions done so far. */
  private TypeMap map;

  /** Elements taken so far. */
  private long elements = 1;

  /** The distance between neighbours in the current dimension. */
  private long stride;

  private final DerivedType old;

  private ArrayTypeMaps(DerivedType old) {
    this.old = old;
    this.map = old.map();
    this.stride = old.extent();
  }

  static DerivedType.Parts subarray(TypeConstructor.Subarray box) {
    int rank = box.sizes().size();
    require(
        rank >= 1 && box.subsizes().size() == rank && box.starts().size() == rank,
        "dimensions of sizes, subsizes and starts",
        rank + ", " + box.subsizes().size() + ", " + box.starts().size(),
        "equal and at least 1");
    ArrayTypeMaps made = new ArrayTypeMaps(box.of());
    for (int i = 0; i < rank; i++) {
      int dim = box.order() == ArrayOrder.C ? rank - 1 - i : i;
      long size = box.sizes().get(dim);
      long subsize = box.subsizes().get(dim);
      long start = box.starts().get(dim);
      require(
          subsize >= 1 && start >= 0 && subsize <= size && start <= size - subsize,
          "box in dimension " + dim,
          start + " and " + subsize + " elements",
          "within 0.." + size + ", not empty");
      made.block(start, subsize);
      made.grow(size);
    }
    return made.finish();
  }

  static DerivedType.Parts darray(TypeConstructor.Darray array) {
    int rank = array.sizes().size();
    LongList grid = array.place().grid();
    long[] coordinates = coordinates(array.place(), rank, array.distributions().size());
    ArrayTypeMaps made = new ArrayTypeMaps(array.of());
    for (int i = 0; i < rank; i++) {
      int dim = array.place().order() == ArrayOrder.C ? rank - 1 - i : i;
      long size = array.sizes().get(dim);
      require(size >= 1, "size of dimension " + dim, size, "at least 1");
      made.deal(array.distributions().get(dim), size, grid.get(dim), coordinates[dim]);
      made.grow(size);
    }
    return made.finish();
  }

  /** Returns the coordinates of a process in the grid, always with the last dimension fastest. */
  static long[] coordinates(TypeConstructor.Place place, int sizes, int distributions) {
    LongList grid = place.grid();
    require(
        sizes >= 1 && distributions == sizes && grid.size() == sizes,
        "dimensions of sizes, distributions and process grid",
        sizes + ", " + distributions + ", " + grid.size(),
        "equal and at least 1");
    int rank = place.rank();
    long[] coordinates = new long[grid.size()];
    long rest = rank;
    for (int dim = grid.size() - 1; dim >= 0; dim--) {
      require(grid.get(dim) >= 1, "processes in dimension " + dim, grid.get(dim), "at least 1");
      coordinates[dim] = rest % grid.get(dim);
      rest /= grid.get(dim);
    }
    require(rank >= 0 && rest == 0, "rank", rank, "a process of the grid " + grid);
    return coordinates;
  }

  private void deal(DimensionDistribution how, long size, long processes, long process) {
    long k = how.argument();
    require(
        k == DimensionDistribution.DEFAULT || k >= 1,
        "argument of the distribution",
        how,
        "at least 1");
    switch (how.kind()) {
      case NONE -> {
        require(processes == 1, "processes of an undistributed dimension", processes, "1");
        block(0, size);
      }
      case BLOCK -> {
        long each = k == DimensionDistribution.DEFAULT ? Math.ceilDiv(size, processes) : k;
        require(
            each >= Math.ceilDiv(size, processes),
            "block length",
            each,
            "enough for " + size + " elements on " + processes + " processes");
        long start = Math.min(size, Math.multiplyExact(each, process));
        block(start, Math.min(each, size - start));
      }
      case CYCLIC -> cycle(k == DimensionDistribution.DEFAULT ? 1 : k, size, processes, process);
      case BALANCED, RANDOM -> throw new IllegalStateException(how.toString());
    }
  }

  /** Selects elements {@code start} to {@code start + count - 1} of the dimension. */
  private void block(long start, long count) {
    map = map.repeated(Math.multiplyExact(start, stride), count, stride);
    elements = Math.multiplyExact(elements, count);
  }

  private void cycle(long k, long size, long processes, long process) {
    long start = Math.multiplyExact(k, process);
    long cycle = Math.multiplyExact(k, processes);
    long rest = Math.max(0, size - start);
    long whole = rest / cycle + (rest % cycle >= k ? 1 : 0);
    long last = rest % cycle >= k ? 0 : rest % cycle;
    TypeMap blocks =
        map.repeated(0, k, stride)
            .repeated(Math.multiplyExact(start, stride), whole, Math.multiplyExact(cycle, stride));
    long lastAt = Math.addExact(start, Math.multiplyExact(whole, cycle));
    TypeMap tail =
        last == 0 ? TypeMap.EMPTY : map.repeated(Math.multiplyExact(lastAt, stride), last, stride);
    map = TypeMap.joined(List.of(blocks, tail));
    elements = Math.multiplyExact(elements, Math.addExact(Math.multiplyExact(whole, k), last));
  }

  private void grow(long size) {
    stride = Math.multiplyExact(stride, size);
  }

  private DerivedType.Parts finish() {
    Bounds bounds = old.bounds().resized(0, stride);
    Bounds.Range data =
        map.size() == 0 ? Bounds.Range.EMPTY : new Bounds.Range(map.low(), map.high());
    return new DerivedType.Parts(
        new Bounds(data, bounds.lowerMarks(), bounds.upperMarks(), bounds.alignment()),
        map,
        old.signature().times(elements));
  }
}
