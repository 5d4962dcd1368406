package org.hyperslab.web;

import org.hyperslab.H5File;

/**
 * A file that requests share. It is closed when it is retired and nobody uses it.
 *
 * <p>Thread rule: any thread.
 */
final class SharedFile {

  private final String version;
  private final H5File file;
  private final Runnable afterwards;
  private int users;
  private boolean retired;
  private long lastUse;

  /**
   * An open file.
   *
   * @param version tells whether it has changed
   * @param file the file
   * @param afterwards called when it is closed
   */
  SharedFile(String version, H5File file, Runnable afterwards) {
    this.version = version;
    this.file = file;
    this.afterwards = afterwards;
  }

  String version() {
    return version;
  }

  H5File file() {
    return file;
  }

  synchronized void use() {
    users++;
  }

  synchronized void giveBack() {
    users--;
    lastUse = System.nanoTime();
    closeIfUnused();
  }

  synchronized void retire() {
    retired = true;
    closeIfUnused();
  }

  synchronized boolean isIdleSince(long nanos) {
    return users == 0 && lastUse - nanos < 0;
  }

  private void closeIfUnused() {
    if (retired && users == 0) {
      try {
        file.close();
      } finally {
        afterwards.run();
      }
    }
  }
}
