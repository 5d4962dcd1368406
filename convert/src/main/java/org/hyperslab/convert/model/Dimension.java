package org.hyperslab.convert.model;

/**
 * A named dimension that several variables can share.
 *
 * @param path its absolute path: the path of the group that defines it, then its name
 * @param length its current length
 * @param unlimited whether it can grow
 */
public record Dimension(String path, long length, boolean unlimited) {

  /**
   * Returns the name without the group's path.
   *
   * @return the last part of the path
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
