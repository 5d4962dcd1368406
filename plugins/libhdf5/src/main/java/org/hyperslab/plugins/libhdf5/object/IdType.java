package org.hyperslab.plugins.libhdf5.object;

import org.hyperslab.model.ObjectKind;

/** The kinds of identifiers of libhdf5 that matter here ({@code H5I_type_t}). */
public final class IdType {

  public static final int FILE = 1;
  public static final int GROUP = 2;
  public static final int DATATYPE = 3;
  public static final int DATASET = 5;
  public static final int ATTRIBUTE = 7;

  private IdType() {}

  /** Returns the type of identifiers of objects of a kind. */
  public static int of(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> GROUP;
      case DATASET -> DATASET;
      case COMMITTED_TYPE -> DATATYPE;
    };
  }

  /** Returns the bit by which {@code H5Fget_obj_count} counts identifiers of a type. */
  public static int countBit(int type) {
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
