package org.hyperslab.vol;

import java.util.Objects;

/**
 * A place in a file: a path relative to an open file, group, dataset or type.
 *
 * @param base the handle from which the path is followed; a file's handle stands for its root group
 * @param path names separated by "/"; a leading "/" starts at the root of the base's file; "." or
 *     "" is the base itself. Repeated and trailing slashes do not matter, ".." is an ordinary name,
 *     as in HDF5
 */
public record Location(Handle base, String path) {

  /** Checks that nothing is null. */
  public Location {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(path, "path");
  }

  /**
   * {@return the object behind a handle itself}
   *
   * @param base the handle from which the path is followed
   */
  public static Location of(Handle base) {
    return new Location(base, ".");
  }

  /** {@return whether this is the base itself} */
  public boolean isBase() {
    return path.isEmpty() || path.equals(".");
  }
}
