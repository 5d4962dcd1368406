package org.hyperslab.format.store;

/** How a file is opened. */
public enum FileAccess {
  /** An existing file, for reading only. */
  READ,
  /** An existing file, for reading and writing. */
  UPDATE,
  /** An existing or a new file, for reading and writing; what an existing file holds is kept. */
  CREATE,
  /** An existing or a new file, for reading and writing; what an existing file holds is cut off. */
  TRUNCATE,
  /** A new file; one that exists already is an error. */
  CREATE_NEW;

  /** {@return whether writes are allowed} */
  public boolean writable() {
    return this != READ;
  }

  /** {@return whether a file that does not exist is made} */
  public boolean creates() {
    return this == CREATE || this == TRUNCATE || this == CREATE_NEW;
  }
}
