package org.hyperslab.mpi;

import org.hyperslab.error.InvalidUseException;

/**
 * The distribution of one dimension of an array over the processes of a grid, as in High
 * Performance Fortran. For {@link MpiDatatype#distributedArray}.
 *
 * @param kind the kind of distribution
 * @param argument the number of elements of a block; 0 for the default, which is one block for each
 *     process with {@link Kind#BLOCK} and single elements with {@link Kind#CYCLIC}
 */
public record Distribution(Kind kind, int argument) {

  /** The kinds of distribution. */
  public enum Kind {
    /** No distribution: every process has the whole dimension. */
    NONE(Constant.DISTRIBUTE_NONE),
    /** One block for each process. */
    BLOCK(Constant.DISTRIBUTE_BLOCK),
    /** Blocks assigned in turn. */
    CYCLIC(Constant.DISTRIBUTE_CYCLIC);

    private final Constant constant;

    Kind(Constant constant) {
      this.constant = constant;
    }

    Constant constant() {
      return constant;
    }
  }

  /** No distribution: every process has the whole dimension. */
  public static final Distribution NONE = new Distribution(Kind.NONE, 0);

  /** One block of equal length for each process. */
  public static final Distribution BLOCK = new Distribution(Kind.BLOCK, 0);

  /** Single elements assigned in turn. */
  public static final Distribution CYCLIC = new Distribution(Kind.CYCLIC, 0);

  /** Checks the block's length. */
  public Distribution {
    if (argument < 0) {
      throw new InvalidUseException("block: actual=" + argument + ", expected=at least 0");
    }
  }

  /**
   * {@return a distribution of blocks of the given length in turn}
   *
   * @param block elements of a block
   */
  public static Distribution cyclic(int block) {
    return new Distribution(Kind.CYCLIC, block);
  }

  /**
   * {@return a distribution of one block of the given length for each process}
   *
   * @param block elements of a block
   */
  public static Distribution block(int block) {
    return new Distribution(Kind.BLOCK, block);
  }

  int argument(Library library) {
    return argument == 0 ? library.constant(Constant.DISTRIBUTE_DFLT_DARG) : argument;
  }
}
