package org.hyperslab.mpi;

/** How a reduction combines the values of the ranks. */
public enum MpiOperation {
  /** The least. */
  MIN(Predefined.MIN),
  /** The greatest. */
  MAX(Predefined.MAX),
  /** The sum. */
  SUM(Predefined.SUM),
  /** The product. */
  PRODUCT(Predefined.PROD),
  /** Whether all are other than zero. */
  LOGICAL_AND(Predefined.LAND),
  /** Bitwise and. */
  BITWISE_AND(Predefined.BAND),
  /** Whether any is other than zero. */
  LOGICAL_OR(Predefined.LOR),
  /** Bitwise or. */
  BITWISE_OR(Predefined.BOR),
  /** Whether an odd number of them is other than zero. */
  LOGICAL_XOR(Predefined.LXOR),
  /** Bitwise exclusive or. */
  BITWISE_XOR(Predefined.BXOR),
  /** The least and where it is, over pairs such as {@link MpiType#DOUBLE_INT}. */
  MIN_LOCATION(Predefined.MINLOC),
  /** The greatest and where it is, over pairs such as {@link MpiType#DOUBLE_INT}. */
  MAX_LOCATION(Predefined.MAXLOC);

  private final Predefined handle;

  MpiOperation(Predefined handle) {
    this.handle = handle;
  }

  Predefined handle() {
    return handle;
  }
}
