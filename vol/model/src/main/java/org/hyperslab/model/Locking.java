package org.hyperslab.model;

import java.util.Locale;

/** Whether a file is locked against other processes, as HDF5 1.10 and later do with flock. */
public enum Locking {
  /** Follows the environment variable HDF5_USE_FILE_LOCKING; locked if it is not set. */
  DEFAULT,
  /** Locked; opening fails where locks are not supported. */
  ON,
  /** The file is not locked. */
  OFF,
  /** Locked where the file system supports it. */
  BEST_EFFORT;

  private static final String VARIABLE = "HDF5_USE_FILE_LOCKING";

  /**
   * {@return this way of locking; for {@link #DEFAULT} the one that the environment of this process
   * states} The variable's values are those of the HDF5 library: {@code FALSE} or {@code 0}, {@code
   * TRUE} or {@code 1}, and {@code BEST_EFFORT}, which is also meant if there is no other.
   */
  public Locking effective() {
    if (this != DEFAULT) {
      return this;
    }
    String said = System.getenv(VARIABLE);
    return switch (said == null ? "" : said.toUpperCase(Locale.ROOT)) {
      case "FALSE", "0" -> OFF;
      case "TRUE", "1" -> ON;
      default -> BEST_EFFORT;
    };
  }
}
