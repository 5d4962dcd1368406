package org.hyperslab.plugins.nativevol.file;

import org.hyperslab.error.StorageException;

/** The failure of an access to a file that another program has made shorter. */
public final class FileCut {

  private FileCut() {}

  /**
   * Creates the failure.
   *
   * @param file the file's name
   * @param size the size of the store in bytes
   * @param expected the least size that the store had before
   * @return the failure
   */
  public static StorageException failure(String file, long size, long expected) {
    return new StorageException(
        "file became shorter while it is open: actual="
            + size
            + " bytes, expected=at least "
            + expected
            + ", at="
            + file
            + "; another program has cut or replaced it: restore it from a complete copy");
  }
}
