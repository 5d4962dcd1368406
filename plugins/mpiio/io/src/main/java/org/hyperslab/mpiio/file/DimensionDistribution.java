package org.hyperslab.mpiio.file;

/**
 * How one dimension of a distributed array is distributed over the processes of one dimension of
 * the process grid, as in High Performance Fortran.
 *
 * @param kind none, block or cyclic
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
    /** Blocks dealt out in turn. */
    CYCLIC
  }

  /**
   * {@return every process of the dimension, which must be one, has it all} This is {@code
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

  /** {@return CYCLIC: single elements dealt out in turn} */
  public static DimensionDistribution cyclic() {
    return new DimensionDistribution(Kind.CYCLIC, DEFAULT);
  }

  /**
   * {@return CYCLIC(k): blocks of k elements dealt out in turn}
   *
   * @param k elements of a block
   */
  public static DimensionDistribution cyclic(long k) {
    return new DimensionDistribution(Kind.CYCLIC, k);
  }

  @Override
  public String toString() {
    return kind + (argument == DEFAULT ? "" : "(" + argument + ")");
  }
}
