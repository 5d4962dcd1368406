package org.hyperslab.mpiio.datatype;

/** Which dimension of an array varies fastest in storage. */
public enum ArrayOrder {
  /** The last dimension ({@code MPI_ORDER_C}). */
  C,
  /** The first dimension ({@code MPI_ORDER_FORTRAN}). */
  FORTRAN
}
