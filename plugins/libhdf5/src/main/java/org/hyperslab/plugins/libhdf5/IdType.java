package org.hyperslab.plugins.libhdf5;

import org.hyperslab.model.ObjectKind;

/** The kinds of identifiers of libhdf5 that matter here ({@code H5I_type_t}). */
final class IdType {

  static final int FILE = 1;
  static final int GROUP = 2;
  static final int DATATYPE = 3;
  static final int DATASET = 5;
  static final int ATTRIBUTE = 7;

  private IdType() {}

  static int of(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> GROUP;
      case DATASET -> DATASET;
      case COMMITTED_TYPE -> DATATYPE;
    };
  }

  /** Returns the bit by which {@code H5Fget_obj_count} counts identifiers of a type. */
  static int countBit(int type) {
    return switch (type) {
      case FILE -> 1;
      case DATASET -> 2;
      case GROUP -> 4;
      case DATATYPE -> 8;
      case ATTRIBUTE -> 16;
      default -> 0;
    };
  }
}
