package org.hyperslab.convert.model;

/**
 * An additional link to an object, or a soft or external link. Only HDF5 has these.
 *
 * @param name its name in its group
 * @param kind the kind of the link
 * @param file the target's file if it is another file; otherwise empty
 * @param target the path of the target
 */
public record NodeLink(String name, Kind kind, String file, String target) {

  /** The kind of a link. */
  public enum Kind {
    /** A hard link to an object. */
    HARD,
    /** A soft link: a path in the same file. */
    SOFT,
    /** An external link: a path in another file. */
    EXTERNAL
  }

  /** Returns what the link is and what it leads to, whether or not that exists. */
  public String describe() {
    return switch (kind) {
      case HARD -> "a second hard link to " + target;
      case SOFT -> "a soft link to " + target;
      case EXTERNAL -> "an external link to " + target + " in the file " + file;
    };
  }
}
