package org.hyperslab.model;

/**
 * Releases of the HDF5 library, used as bounds of the structures in a file. A file written with the
 * bounds (low, high) uses no structure older than low if there is a newer form, and none that a
 * library of release high cannot read; content without such a form is refused. Constants are in
 * order of release.
 */
public enum FormatVersion {
  /** The oldest form that can hold the object: superblock 0, symbol tables. */
  EARLIEST,
  /** HDF5 release 1.8. */
  V18,
  /** HDF5 release 1.10. */
  V110,
  /** HDF5 release 1.12. */
  V112,
  /** HDF5 release 1.14. */
  V114,
  /** Release 2.0, and newer structures that this library knows. */
  V200;

  /** The newest form that this library writes. */
  public static final FormatVersion LATEST = V200;
}
