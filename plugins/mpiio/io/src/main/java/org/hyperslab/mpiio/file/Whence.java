package org.hyperslab.mpiio.file;

/** From where a file pointer is moved. */
public enum Whence {
  /** {@code MPI_SEEK_SET}: from the beginning of the view. */
  START,
  /** {@code MPI_SEEK_CUR}: from where the pointer is. */
  CURRENT,
  /** {@code MPI_SEEK_END}: from the first etype of the view after the last byte of the file. */
  END
}
