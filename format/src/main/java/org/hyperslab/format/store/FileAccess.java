package org.hyperslab.format.store;

/** The mode in which a file is opened. */
public enum FileAccess {
  /** An existing file, for reading only. */
  READ,
  /** An existing file, for reading and writing. */
  UPDATE,
  /** An existing or a new file, for reading and writing; existing content is kept. */
  CREATE,
  /** An existing or a new file, for reading and writing; existing content is removed. */
  TRUNCATE,
  /** A new file; an existing file is an error. */
  CREATE_NEW;

  /** {@return whether writes are permitted} */
  public boolean writable() {
    return this != READ;
  }

  /** {@return whether an absent file is created} */
  public boolean creates() {
    return this == CREATE || this == TRUNCATE || this == CREATE_NEW;
  }
}
