package org.hyperslab.model;

/** Whether a file is locked against other processes, as HDF5 1.10 and later do with flock. */
public enum Locking {
  /** Follows the environment variable HDF5_USE_FILE_LOCKING; locked if it is not set. */
  DEFAULT,
  /** Locked; opening fails where locks are not supported. */
  ON,
  /** The file is not locked. */
  OFF,
  /** Locked where the file system supports it. */
  BEST_EFFORT
}
