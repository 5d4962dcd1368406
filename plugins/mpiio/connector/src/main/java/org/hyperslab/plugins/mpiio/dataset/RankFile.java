package org.hyperslab.plugins.mpiio.dataset;

import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.mpiio.transfer.RawFile;

/**
 * A file that one rank has open, once or several times.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
public final class RankFile {

  private final long number;
  private final String name;
  private final OpenOptions options;
  private final RawFile raw;
  private int users;

  /**
   * Creates an open file.
   *
   * @param number the number, the same on all ranks
   * @param raw the access to its bytes; null if they are reached only through rank 0
   */
  public RankFile(long number, String name, OpenOptions options, RawFile raw) {
    this.number = number;
    this.name = name;
    this.options = options;
    this.raw = raw;
  }

  /** Returns the number of the file. */
  public long number() {
    return number;
  }

  String name() {
    return name;
  }

  /** Returns the access to its bytes, or null. */
  public RawFile raw() {
    return raw;
  }

  /** Returns whether the file is open for writing. */
  public boolean isWritable() {
    return options.writable();
  }

  OpenOptions options() {
    return options;
  }

  /** Returns whether a flush must survive a power failure. */
  public boolean isDurable() {
    return options.durability() == Durability.POWER_CUT;
  }

  /** Adds one use of the file. */
  public void retain() {
    users++;
  }

  /** Ends one opening; closes the file and returns true if it was the last. */
  public boolean release() {
    if (--users > 0) {
      return false;
    }
    if (raw != null) {
      raw.close();
    }
    return true;
  }
}
