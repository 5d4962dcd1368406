package org.hyperslab.mpiio.file;

/** The origin of a file pointer's movement. */
public enum Whence {
  /** {@code MPI_SEEK_SET}: from the beginning of the view. */
  START,
  /** {@code MPI_SEEK_CUR}: from the current position. */
  CURRENT,
  /** {@code MPI_SEEK_END}: from the first etype of the view after the last byte of the file. */
  END
}
