package org.hyperslab.model;

/** The order in which a group's links or an object's attributes are listed. */
public enum IterationIndex {
  /** By name, comparing bytes as unsigned. */
  NAME,
  /** By creation order, which must be tracked. */
  CREATION_ORDER
}
