package org.hyperslab.model;

/** The kind of a link, by the way in which it names its target. */
public enum LinkKind {
  /** By the address of the object: it counts as a reference to it. */
  HARD,
  /** By a path in the same file, which need not exist. */
  SOFT,
  /** By a file name and a path in that file. */
  EXTERNAL,
  /** By bytes that only the class of link that wrote them understands (class 65 to 255). */
  USER_DEFINED
}
