package org.hyperslab.mpi;

/** How a file is opened. Exactly one of the first three is given. */
public enum MpiFileMode {
  /** Only to be read. */
  READ_ONLY(Constant.MODE_RDONLY),
  /** Only to be written. */
  WRITE_ONLY(Constant.MODE_WRONLY),
  /** To be read and written. */
  READ_WRITE(Constant.MODE_RDWR),
  /** Made if it does not exist. */
  CREATE(Constant.MODE_CREATE),
  /** With {@link #CREATE}: must not exist. */
  EXCLUSIVE(Constant.MODE_EXCL),
  /** Deleted when closed. */
  DELETE_ON_CLOSE(Constant.MODE_DELETE_ON_CLOSE),
  /** Opened by nobody else meanwhile. */
  UNIQUE_OPEN(Constant.MODE_UNIQUE_OPEN),
  /** Pointers begin at its end. */
  APPEND(Constant.MODE_APPEND),
  /** Only read or written in order. */
  SEQUENTIAL(Constant.MODE_SEQUENTIAL);

  final Constant constant;

  MpiFileMode(Constant constant) {
    this.constant = constant;
  }
}
