package org.hyperslab.model;

/**
 * The properties of a group.
 *
 * @param linkCount links in it
 * @param maximumCreationOrder the next creation order to be given out; 0 if it is not tracked
 * @param storage how links are stored
 * @param mounted always false: files are not mounted
 * @param options what the group was created with, as far as the file records it
 */
public record GroupInfo(
    long linkCount,
    long maximumCreationOrder,
    Storage storage,
    boolean mounted,
    GroupOptions options) {

  /** The storage of a group's links. */
  public enum Storage {
    /** B-tree version 1 and local heap. */
    SYMBOL_TABLE,
    /** Link messages in the object header. */
    COMPACT,
    /** Fractal heap and B-tree version 2. */
    DENSE,
    /** Not known or not a native file. */
    UNKNOWN
  }
}
