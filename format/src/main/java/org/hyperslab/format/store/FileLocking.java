package org.hyperslab.format.store;

/**
 * The advisory lock that a file store holds on the whole file while it is open. It is the lock that
 * the HDF5 library takes ({@code flock}, see H5FDsec2.c), so that the two respect each other.
 */
public enum FileLocking {
  /** No lock. */
  NONE,
  /** Others may hold shared locks too: for readers. Falls to no lock where there are no locks. */
  SHARED,
  /** No one else may hold a lock: for a writer. Falls to no lock where there are no locks. */
  EXCLUSIVE
}
