package org.hyperslab.mpiio.datatype;

/**
 * The distribution of one dimension of an array over the processes of one dimension of the process
 * grid, as in High Performance Fortran. Two ways that Fortran and MPI do not have are after
 * Nitzberg, Collective Parallel I/O (1995): balanced, and random.
 *
 * @param kind how the dimension is distributed
 * @param argument the block length in elements, or {@link #DEFAULT}
 */
public record DimensionDistribution(Kind kind, long argument) {

  /** The argument {@code MPI_DISTRIBUTE_DFLT_DARG}: equal blocks, or cyclic(1). */
  public static final long DEFAULT = -1;

  /** The kinds of distribution. */
  public enum Kind {
    /** The dimension is not distributed. */
    NONE,
    /** One block a process. */
    BLOCK,
    /** Blocks assigned in turn. */
    CYCLIC,
    /** One block a process, of lengths that differ by at most one element. */
    BALANCED,
    /** Blocks assigned in turn, in a pseudo-random order. */
    RANDOM
  }

  /**
   * {@return no distribution: the one process of the dimension has all of it} This is {@code
   * MPI_DISTRIBUTE_NONE}.
   */
  public static DimensionDistribution none() {
    return new DimensionDistribution(Kind.NONE, DEFAULT);
  }

  /** {@return BLOCK: blocks of ceiling(n / p) elements} */
  public static DimensionDistribution block() {
    return new DimensionDistribution(Kind.BLOCK, DEFAULT);
  }

  /**
   * {@return BLOCK(k): blocks of k elements; k times p must cover the dimension}
   *
   * @param k elements of a block
   */
  public static DimensionDistribution block(long k) {
    return new DimensionDistribution(Kind.BLOCK, k);
  }

  /** {@return CYCLIC: single elements assigned in turn} */
  public static DimensionDistribution cyclic() {
    return new DimensionDistribution(Kind.CYCLIC, DEFAULT);
  }

  /**
   * {@return CYCLIC(k): blocks of k elements assigned in turn}
   *
   * @param k elements of a block
   */
  public static DimensionDistribution cyclic(long k) {
    return new DimensionDistribution(Kind.CYCLIC, k);
  }

  /**
   * {@return one block a process, as equal as possible, as ARC3D divides its grids} Where HPF's
   * BLOCK divides 25 elements among 8 processes into six blocks of 4, one of 1 and one of none,
   * these are one of 4 and seven of 3.
   */
  public static DimensionDistribution balanced() {
    return new DimensionDistribution(Kind.BALANCED, DEFAULT);
  }

  /**
   * {@return blocks of k elements, assigned in turn in a pseudo-random order, which is the same in
   * every run; a process has its blocks in the order of the array}
   *
   * @param k elements of a block
   */
  public static DimensionDistribution random(long k) {
    return new DimensionDistribution(Kind.RANDOM, k);
  }

  @Override
  public String toString() {
    return kind + (argument == DEFAULT ? "" : "(" + argument + ")");
  }
}
