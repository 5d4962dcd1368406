package org.hyperslab.mpiio.datatype;

import java.util.List;

/**
 * The construction of a datatype: the constructor and its arguments, which MPI calls envelope and
 * contents. Displacements and strides are in extents of the old type unless their name says bytes.
 */
public sealed interface TypeConstructor {

  /**
   * An elementary type.
   *
   * @param elementary the elementary type
   * @param bytes its size and extent: that in memory, or in a data representation of files
   */
  record Basic(ElementaryType elementary, long bytes) implements TypeConstructor {}

  /**
   * {@code MPI_Type_contiguous}: {@code count} of the old type, one after the other.
   *
   * @param count the number of blocks
   * @param of the old type
   */
  record Contiguous(long count, DerivedType of) implements TypeConstructor {}

  /**
   * {@code MPI_Type_vector}: equal blocks at equal distances.
   *
   * @param count the number of blocks
   * @param blockLength elements of a block
   * @param stride extents of the old type from the start of one block to the start of the next
   * @param of the old type
   */
  record Vector(long count, long blockLength, long stride, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_hvector}: equal blocks at equal distances in bytes.
   *
   * @param count the number of blocks
   * @param blockLength elements of a block
   * @param strideBytes bytes from the start of one block to the start of the next
   * @param of the old type
   */
  record HVector(long count, long blockLength, long strideBytes, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_indexed}: blocks of different lengths at any places.
   *
   * @param blockLengths elements of each block
   * @param displacements where each block begins, in extents of the old type
   * @param of the old type
   */
  record Indexed(LongList blockLengths, LongList displacements, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_hindexed}: blocks of different lengths at any places in bytes.
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block begins, in bytes
   * @param of the old type
   */
  record HIndexed(LongList blockLengths, LongList displacementsBytes, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_indexed_block}: equal blocks at any places.
   *
   * @param blockLength elements of a block
   * @param displacements where each block begins, in extents of the old type
   * @param of the one old type
   */
  record IndexedBlock(long blockLength, LongList displacements, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_hindexed_block}: blocks of equal length at any places in bytes.
   *
   * @param blockLength elements of a block
   * @param displacementsBytes where each block begins, in bytes
   * @param of the one old type
   */
  record HIndexedBlock(long blockLength, LongList displacementsBytes, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_struct}: blocks of different types at any places.
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block begins, in bytes
   * @param of the one old type
   */
  record Struct(LongList blockLengths, LongList displacementsBytes, List<DerivedType> of)
      implements TypeConstructor {
    /** Keeps a copy of the list. */
    public Struct {
      of = List.copyOf(of);
    }
  }

  /**
   * {@code MPI_Type_create_subarray}: a box of an array.
   *
   * @param sizes elements of the array in each dimension
   * @param subsizes elements of the box in each dimension
   * @param starts where the box begins in each dimension, from 0
   * @param order the storage order
   * @param of the old type
   */
  record Subarray(
      LongList sizes, LongList subsizes, LongList starts, ArrayOrder order, DerivedType of)
      implements TypeConstructor {}

  /**
   * {@code MPI_Type_create_darray}: one process's part of a distributed array.
   *
   * @param place the process and its grid
   * @param sizes elements of the array in each dimension
   * @param distributions how each dimension is distributed
   * @param of the old type
   */
  record Darray(
      Place place, LongList sizes, List<DimensionDistribution> distributions, DerivedType of)
      implements TypeConstructor {
    /** Keeps a copy of the list. */
    public Darray {
      distributions = List.copyOf(distributions);
    }
  }

  /**
   * {@code MPI_Type_create_resized}: the old type with another lower bound and extent.
   *
   * @param lowerBoundBytes the new lower bound, in bytes
   * @param extentBytes the new extent, in bytes
   * @param of the one old type
   */
  record Resized(long lowerBoundBytes, long extentBytes, DerivedType of)
      implements TypeConstructor {}

  /**
   * The process whose part of a distributed array is described, and the array's storage order.
   *
   * @param rank the process, whose place in the grid is always counted with the last dimension
   *     fastest
   * @param grid processes in each dimension
   * @param order the storage order of the array
   */
  record Place(int rank, LongList grid, ArrayOrder order) {}
}
