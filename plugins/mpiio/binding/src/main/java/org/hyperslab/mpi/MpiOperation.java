package org.hyperslab.mpi;

/** The operation with which a reduction combines the values of the ranks. */
public enum MpiOperation {
  /** The least of the values. */
  MIN(Predefined.MIN),
  /** The greatest of the values. */
  MAX(Predefined.MAX),
  /** The sum of the values. */
  SUM(Predefined.SUM),
  /** The product of the values. */
  PRODUCT(Predefined.PROD),
  /** Logical and: 1 if all values are nonzero. */
  LOGICAL_AND(Predefined.LAND),
  /** Bitwise and of the values. */
  BITWISE_AND(Predefined.BAND),
  /** Logical or: 1 if any value is nonzero. */
  LOGICAL_OR(Predefined.LOR),
  /** Bitwise or of the values. */
  BITWISE_OR(Predefined.BOR),
  /** Logical exclusive or: 1 if an odd number of values is nonzero. */
  LOGICAL_XOR(Predefined.LXOR),
  /** Bitwise exclusive or. */
  BITWISE_XOR(Predefined.BXOR),
  /** The minimum and its location, over pairs such as {@link MpiType#DOUBLE_INT}. */
  MIN_LOCATION(Predefined.MINLOC),
  /** The maximum and its location, over pairs such as {@link MpiType#DOUBLE_INT}. */
  MAX_LOCATION(Predefined.MAXLOC);

  private final Predefined handle;

  MpiOperation(Predefined handle) {
    this.handle = handle;
  }

  Predefined handle() {
    return handle;
  }
}
