package org.hyperslab.web.files;

import org.hyperslab.H5File;
import org.hyperslab.scales.DimensionTable;

/**
 * A file that requests share. It is closed when it is retired and no longer in use.
 *
 * <p>Thread rule: any thread.
 */
final class SharedFile {

  private final String version;
  private final H5File file;
  private final Runnable afterwards;
  private final boolean lingers;
  private int users;
  private boolean retired;
  private long lastUse;
  private final Object dimensionsLock = new Object();
  private DimensionTable dimensions;

  /**
   * Creates a shared file.
   *
   * @param version the version, by which changes are detected
   * @param file the file
   * @param lingers whether it stays open when unused, until it is retired
   * @param afterwards runs when the file is closed
   */
  SharedFile(String version, H5File file, boolean lingers, Runnable afterwards) {
    this.version = version;
    this.lingers = lingers;
    this.file = file;
    this.afterwards = afterwards;
  }

  String version() {
    return version;
  }

  H5File file() {
    return file;
  }

  /** {@return the dimensions of the file, read at the first call; the caller uses the file} */
  DimensionTable dimensions() {
    synchronized (dimensionsLock) {
      if (dimensions == null) {
        dimensions = DimensionTable.of(file);
      }
      return dimensions;
    }
  }

  /**
   * {@return whether the caller may use it and must release it afterwards; false if it is closed}
   */
  synchronized boolean use() {
    if (retired && users == 0) {
      return false;
    }
    users++;
    return true;
  }

  synchronized void release() {
    users--;
    lastUse = System.nanoTime();
    retired |= !lingers && users == 0;
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
