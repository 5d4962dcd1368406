package org.hyperslab.mpi;

import java.util.List;

/**
 * The binary interfaces under which MPI libraries are built: the width of a handle, the positions
 * of the fields of a status, and the constants.
 */
public enum Abi {
  /** Open MPI 4 and 5: a handle is the address of an object; predefined ones are symbols. */
  OPEN_MPI("Open MPI", 8, 24, 0, List.of("libmpi.so.40")),

  /** MPICH 3 and 4 and those that share its interface (Intel MPI, MVAPICH, Cray MPICH): an int. */
  MPICH("MPICH", 4, 20, 8, List.of("libmpich.so.12", "libmpi.so.12")),

  /**
   * The standard interface of MPI 5: a pointer; predefined handles are small numbers. All
   * constants, handles and the status were compared with the MPI Forum's header (mpi-abi-stubs, ABI
   * 1.0); no library of this interface has been run.
   */
  STANDARD("MPI standard ABI", 8, 32, 0, List.of("libmpi_abi.so.0", "libmpi_abi.so"));

  private final String title;
  private final int handleBytes;
  private final int statusBytes;
  private final int sourceOffset;
  private final List<String> libraries;

  Abi(String title, int handleBytes, int statusBytes, int sourceOffset, List<String> libraries) {
    this.title = title;
    this.handleBytes = handleBytes;
    this.statusBytes = statusBytes;
    this.sourceOffset = sourceOffset;
    this.libraries = libraries;
  }

  /** {@return the name of this interface, for messages} */
  public String title() {
    return title;
  }

  /**
   * Returns the number of bytes of a handle in memory. A file handle is a pointer under MPICH too.
   */
  int handleBytes() {
    return handleBytes;
  }

  /** Returns the number of bytes of MPI_Status. */
  int statusBytes() {
    return statusBytes;
  }

  /** Returns the offset of MPI_SOURCE in a status; MPI_TAG and MPI_ERROR follow, 4 bytes each. */
  int sourceOffset() {
    return sourceOffset;
  }

  /** Returns the file names under which the loader finds such a library. */
  List<String> libraries() {
    return libraries;
  }
}
