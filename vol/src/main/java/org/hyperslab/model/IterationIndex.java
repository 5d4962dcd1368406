package org.hyperslab.model;

/** By which order a group's links or an object's attributes are walked. */
public enum IterationIndex {
  /** By name, comparing bytes as unsigned. */
  NAME,
  /** By creation order, which must be tracked. */
  CREATION_ORDER
}
