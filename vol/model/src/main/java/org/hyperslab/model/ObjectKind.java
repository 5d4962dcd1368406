package org.hyperslab.model;

/** The kinds of object that a link can lead to. */
public enum ObjectKind {
  /** A group: a set of links. */
  GROUP,
  /** A dataset: an array of elements. */
  DATASET,
  /** A committed (named) datatype. */
  COMMITTED_TYPE
}
