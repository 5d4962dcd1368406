package org.hyperslab.format.store;

/**
 * The advisory lock that a file store holds on the whole file while it is open. It is the lock that
 * the HDF5 library takes ({@code flock}, see H5FDsec2.c), so that the two respect each other.
 */
public enum FileLocking {
  /** Take no lock. */
  NONE,
  /** A lock for readers, which others may share. Not taken where the file system has no locks. */
  SHARED,
  /**
   * A lock for a writer, which excludes all others. Not taken where the file system has no locks.
   */
  EXCLUSIVE
}
