package org.hyperslab.format.type;

/** What a reference refers to and how it is stored; the ordinal is the encoded value. */
public enum ReferenceKind {
  /** An object, as a bare file address (H5R_OBJECT1). */
  OBJECT(false),
  /** A dataset and a selection in it, in the global heap (H5R_DATASET_REGION1). */
  REGION(true),
  /** Any revised reference; also the type of H5T_STD_REF (H5R_OBJECT2, since HDF5 1.12). */
  OBJECT2(true),
  /** A revised region reference (H5R_DATASET_REGION2). */
  REGION2(true),
  /** A revised attribute reference (H5R_ATTR). */
  ATTRIBUTE(true);

  private final boolean outOfLine;

  ReferenceKind(boolean outOfLine) {
    this.outOfLine = outOfLine;
  }

  /** Whether an element in memory is a slot into a heap rather than the reference itself. */
  public boolean outOfLine() {
    return outOfLine;
  }

  /** Whether it is one of the kinds that HDF5 1.12 brought. */
  public boolean revised() {
    return this == OBJECT2 || this == REGION2 || this == ATTRIBUTE;
  }
}
