package org.hyperslab.format.type;

import java.util.Optional;

/** The target of a reference and its stored form. */
public enum ReferenceKind {
  /** An object, as a bare file address (H5R_OBJECT1). */
  OBJECT(0, false),
  /** A dataset and a selection in it, in the global heap (H5R_DATASET_REGION1). */
  REGION(1, true),
  /** Any revised reference; also the type of H5T_STD_REF (H5R_OBJECT2, since HDF5 1.12). */
  OBJECT2(2, true),
  /** A revised region reference (H5R_DATASET_REGION2). */
  REGION2(3, true),
  /** A revised attribute reference (H5R_ATTR). */
  ATTRIBUTE(4, true);

  private static final ReferenceKind[] ALL = values();

  private final int code;
  private final boolean outOfLine;

  ReferenceKind(int code, boolean outOfLine) {
    this.code = code;
    this.outOfLine = outOfLine;
  }

  /** {@return the number in a datatype message, and in a revised reference} */
  public int code() {
    return code;
  }

  /**
   * {@return the constant with a number; empty if there is none}
   *
   * @param code the number in the file
   */
  public static Optional<ReferenceKind> ofCode(int code) {
    for (ReferenceKind one : ALL) { // no stream: called for most types that are decoded
      if (one.code == code) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /**
   * {@return whether an element in memory is a slot into a heap rather than the reference itself}
   */
  public boolean outOfLine() {
    return outOfLine;
  }

  /** {@return whether the kind was introduced by HDF5 1.12} */
  public boolean revised() {
    return this == OBJECT2 || this == REGION2 || this == ATTRIBUTE;
  }
}
