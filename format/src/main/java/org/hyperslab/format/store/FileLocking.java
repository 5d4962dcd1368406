package org.hyperslab.format.store;

/**
 * The advisory lock that a file store holds on the whole file while it is open. It is the lock of
 * the HDF5 library ({@code flock}, see H5FDsec2.c), so that both libraries respect each other's
 * locks.
 */
public enum FileLocking {
  /** Opens the file without a lock. */
  NONE,
  /**
   * A lock for readers, which others may share. Not taken if the file system does not support
   * locks.
   */
  SHARED,
  /**
   * A lock for a writer, which excludes all others. Not taken if the file system does not support
   * locks.
   */
  EXCLUSIVE
}
