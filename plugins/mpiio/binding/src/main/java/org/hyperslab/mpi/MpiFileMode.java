package org.hyperslab.mpi;

/** A mode of opening a file. Exactly one of the first three must be given. */
public enum MpiFileMode {
  /** The file is only read. */
  READ_ONLY(Constant.MODE_RDONLY),
  /** The file is only written. */
  WRITE_ONLY(Constant.MODE_WRONLY),
  /** The file is read and written. */
  READ_WRITE(Constant.MODE_RDWR),
  /** The file is created if it does not exist. */
  CREATE(Constant.MODE_CREATE),
  /** Together with {@link #CREATE}: opening fails if the file exists. */
  EXCLUSIVE(Constant.MODE_EXCL),
  /** The file is deleted when it is closed. */
  DELETE_ON_CLOSE(Constant.MODE_DELETE_ON_CLOSE),
  /** The caller promises that the file is not open elsewhere. */
  UNIQUE_OPEN(Constant.MODE_UNIQUE_OPEN),
  /** File pointers start at the end of the file. */
  APPEND(Constant.MODE_APPEND),
  /** The file is only accessed sequentially, through the shared file pointer. */
  SEQUENTIAL(Constant.MODE_SEQUENTIAL);

  final Constant constant;

  MpiFileMode(Constant constant) {
    this.constant = constant;
  }
}
