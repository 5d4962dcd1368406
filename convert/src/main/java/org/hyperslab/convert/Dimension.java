package org.hyperslab.convert;

/**
 * A named dimension that variables share.
 *
 * @param path where it is defined: the path of its group, then its name; absolute
 * @param length how many indices it has now
 * @param unlimited whether it may grow
 */
record Dimension(String path, long length, boolean unlimited) {

  /**
   * Returns the name without the group's path.
   *
   * @return the last part of the path
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
