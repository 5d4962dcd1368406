package org.hyperslab.model;

/**
 * Releases of the HDF5 library by which the structures in a file are bounded: a file written with
 * the bounds (low, high) uses nothing older than low where a newer form exists and nothing that a
 * library of release high cannot read, and refuses what has no form that it can. Order is age.
 */
public enum FormatVersion {
  /** The oldest form that can hold the object: superblock 0, symbol tables. */
  EARLIEST,
  /** Release 1.8. */
  V18,
  /** Release 1.10. */
  V110,
  /** Release 1.12. */
  V112,
  /** Release 1.14. */
  V114,
  /** Release 2.0 and what this library knows beyond it. */
  V200;

  /** The newest form that this library writes. */
  public static final FormatVersion LATEST = V200;
}
