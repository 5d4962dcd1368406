package org.hyperslab.convert;

/**
 * A link beside the one by which an object was met first. HDF5 alone has them.
 *
 * @param name its name in its group
 * @param kind how it names its target
 * @param file the file of the target, if that is another one; otherwise empty
 * @param target the path of the target
 */
record NodeLink(String name, Kind kind, String file, String target) {

  /** How a link names its target. */
  public enum Kind {
    /** The object itself. */
    HARD,
    /** A path in the same file. */
    SOFT,
    /** A path in another file. */
    EXTERNAL
  }
}
