package org.hyperslab.mpiio.datatype;

import java.util.List;

/**
 * How a datatype was made: the constructor and its arguments, which MPI calls envelope and
 * contents. Displacements and strides are in extents of the old type unless their name says bytes.
 */
public sealed interface Recipe {

  /**
   * An elementary type.
   *
   * @param bytes its size and extent: that in memory, or in a data representation of files
   */
  record Basic(Elementary elementary, long bytes) implements Recipe {}

  /** {@code MPI_Type_contiguous}: {@code count} of the old type, one after the other. */
  record Contiguous(long count, DerivedType of) implements Recipe {}

  /** {@code MPI_Type_vector}: equal blocks at equal distances. */
  record Vector(long count, long blockLength, long stride, DerivedType of) implements Recipe {}

  /** {@code MPI_Type_create_hvector}. */
  record HVector(long count, long blockLength, long strideBytes, DerivedType of)
      implements Recipe {}

  /** {@code MPI_Type_indexed}: blocks of different lengths at any places. */
  record Indexed(Longs blockLengths, Longs displacements, DerivedType of) implements Recipe {}

  /** {@code MPI_Type_create_hindexed}. */
  record HIndexed(Longs blockLengths, Longs displacementsBytes, DerivedType of) implements Recipe {}

  /** {@code MPI_Type_create_indexed_block}: equal blocks at any places. */
  record IndexedBlock(long blockLength, Longs displacements, DerivedType of) implements Recipe {}

  /** {@code MPI_Type_create_hindexed_block}. */
  record HIndexedBlock(long blockLength, Longs displacementsBytes, DerivedType of)
      implements Recipe {}

  /** {@code MPI_Type_create_struct}: blocks of different types at any places. */
  record Struct(Longs blockLengths, Longs displacementsBytes, List<DerivedType> of)
      implements Recipe {
    /** Keeps a copy of the list. */
    public Struct {
      of = List.copyOf(of);
    }
  }

  /** {@code MPI_Type_create_subarray}: a box of an array. */
  record Subarray(Longs sizes, Longs subsizes, Longs starts, ArrayOrder order, DerivedType of)
      implements Recipe {}

  /** {@code MPI_Type_create_darray}: one process's part of a distributed array. */
  record Darray(Place place, Longs sizes, List<DimensionDistribution> distributions, DerivedType of)
      implements Recipe {
    /** Keeps a copy of the list. */
    public Darray {
      distributions = List.copyOf(distributions);
    }
  }

  /** {@code MPI_Type_create_resized}: the old type with another lower bound and extent. */
  record Resized(long lowerBoundBytes, long extentBytes, DerivedType of) implements Recipe {}

  /**
   * Whose part of a distributed array it is, and how the array is stored.
   *
   * @param rank the process, whose place in the grid is always counted with the last dimension
   *     fastest
   * @param grid processes in each dimension
   * @param order the storage order of the array
   */
  record Place(int rank, Longs grid, ArrayOrder order) {}
}
