package org.hyperslab.mpiio.file;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * The modes of opening a file (MPI 4.1, section 14.2.1). Exactly one of the first three is given,
 * and the same modes on every rank.
 */
public enum AccessMode {
  /** {@code MPI_MODE_RDONLY}: the file is only read. */
  READ_ONLY,
  /** {@code MPI_MODE_WRONLY}: the file is only written. */
  WRITE_ONLY,
  /** {@code MPI_MODE_RDWR}: the file is read and written. */
  READ_WRITE,
  /** {@code MPI_MODE_CREATE}: the file is created if it does not exist. */
  CREATE,
  /** {@code MPI_MODE_EXCL}: with {@link #CREATE}, an error if it exists. */
  EXCLUSIVE,
  /** {@code MPI_MODE_DELETE_ON_CLOSE}: deleted when closed. */
  DELETE_ON_CLOSE,
  /** {@code MPI_MODE_UNIQUE_OPEN}: the caller promises that the file is not open elsewhere. */
  UNIQUE_OPEN,
  /**
   * {@code MPI_MODE_SEQUENTIAL}: the file is only accessed sequentially, through the shared
   * pointer.
   */
  SEQUENTIAL,
  /** {@code MPI_MODE_APPEND}: all pointers start at the end. */
  APPEND;

  /**
   * {@return the modes if they are compatible}
   *
   * @param modes the access modes
   * @throws InvalidUseException if not ({@code MPI_ERR_AMODE})
   */
  public static Set<AccessMode> checked(Set<AccessMode> modes) {
    EnumSet<AccessMode> copy = EnumSet.noneOf(AccessMode.class);
    copy.addAll(modes);
    long directions =
        copy.stream().filter(m -> m == READ_ONLY || m == WRITE_ONLY || m == READ_WRITE).count();
    require(directions == 1, copy, "exactly one of READ_ONLY, WRITE_ONLY and READ_WRITE");
    boolean makes = copy.contains(CREATE) || copy.contains(EXCLUSIVE);
    require(!makes || !copy.contains(READ_ONLY), copy, "no READ_ONLY with CREATE or EXCLUSIVE");
    require(
        !copy.contains(SEQUENTIAL) || !copy.contains(READ_WRITE),
        copy,
        "no READ_WRITE with SEQUENTIAL");
    return Collections.unmodifiableSet(copy);
  }

  private static void require(boolean holds, Set<AccessMode> actual, String expected) {
    if (!holds) {
      throw new InvalidUseException("access modes: actual=" + actual + ", expected=" + expected);
    }
  }
}
