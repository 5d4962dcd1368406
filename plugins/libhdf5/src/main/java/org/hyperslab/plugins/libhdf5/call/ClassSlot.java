package org.hyperslab.plugins.libhdf5.call;

import org.hyperslab.plugins.libhdf5.Dispatch;

/**
 * The pointers of {@code H5VL_class_t} (version 3) in their order; each takes eight bytes.
 *
 * <p>Source: H5VLconnector.h of HDF5 1.14.5 and 2.2.0, which agree.
 */
public enum ClassSlot {
  INITIALIZE(1, Result.STATUS),
  TERMINATE(0, Result.STATUS),
  INFO_SIZE(0, Result.NONE),
  INFO_COPY(1, Result.POINTER),
  INFO_COMPARE(3, Result.STATUS),
  INFO_FREE(1, Result.STATUS),
  INFO_TO_STRING(2, Result.STATUS),
  INFO_FROM_STRING(2, Result.STATUS),
  WRAP_GET_OBJECT(1, Result.NONE),
  WRAP_GET_CONTEXT(2, Result.NONE),
  WRAP_OBJECT(3, Result.NONE),
  WRAP_UNWRAP(1, Result.NONE),
  WRAP_FREE_CONTEXT(1, Result.NONE),
  ATTRIBUTE_CREATE(9, Result.POINTER),
  ATTRIBUTE_OPEN(6, Result.POINTER),
  ATTRIBUTE_READ(5, Result.STATUS),
  ATTRIBUTE_WRITE(5, Result.STATUS),
  ATTRIBUTE_GET(4, Result.STATUS),
  ATTRIBUTE_SPECIFIC(5, Result.STATUS),
  ATTRIBUTE_OPTIONAL(4, Result.STATUS),
  ATTRIBUTE_CLOSE(3, Result.STATUS),
  DATASET_CREATE(10, Result.POINTER),
  DATASET_OPEN(6, Result.POINTER),
  DATASET_READ(8, Result.STATUS),
  DATASET_WRITE(8, Result.STATUS),
  DATASET_GET(4, Result.STATUS),
  DATASET_SPECIFIC(4, Result.STATUS),
  DATASET_OPTIONAL(4, Result.STATUS),
  DATASET_CLOSE(3, Result.STATUS),
  TYPE_COMMIT(9, Result.POINTER),
  TYPE_OPEN(6, Result.POINTER),
  TYPE_GET(4, Result.STATUS),
  TYPE_SPECIFIC(4, Result.STATUS),
  TYPE_OPTIONAL(4, Result.STATUS),
  TYPE_CLOSE(3, Result.STATUS),
  FILE_CREATE(6, Result.POINTER),
  FILE_OPEN(5, Result.POINTER),
  FILE_GET(4, Result.STATUS),
  FILE_SPECIFIC(4, Result.STATUS),
  FILE_OPTIONAL(4, Result.STATUS),
  FILE_CLOSE(3, Result.STATUS),
  GROUP_CREATE(8, Result.POINTER),
  GROUP_OPEN(6, Result.POINTER),
  GROUP_GET(4, Result.STATUS),
  GROUP_SPECIFIC(4, Result.STATUS),
  GROUP_OPTIONAL(4, Result.STATUS),
  GROUP_CLOSE(3, Result.STATUS),
  LINK_CREATE(7, Result.STATUS),
  LINK_COPY(8, Result.STATUS),
  LINK_MOVE(8, Result.STATUS),
  LINK_GET(5, Result.STATUS),
  LINK_SPECIFIC(5, Result.STATUS),
  LINK_OPTIONAL(5, Result.STATUS),
  OBJECT_OPEN(5, Result.POINTER),
  OBJECT_COPY(10, Result.STATUS),
  OBJECT_GET(5, Result.STATUS),
  OBJECT_SPECIFIC(5, Result.STATUS),
  OBJECT_OPTIONAL(5, Result.STATUS),
  INTROSPECT_CONNECTOR_CLASS(3, Result.STATUS),
  INTROSPECT_CAPABILITIES(2, Result.STATUS),
  INTROSPECT_OPTIONAL(4, Result.STATUS),
  REQUEST_WAIT(3, Result.STATUS),
  REQUEST_NOTIFY(3, Result.STATUS),
  REQUEST_CANCEL(2, Result.STATUS),
  REQUEST_SPECIFIC(2, Result.STATUS),
  REQUEST_OPTIONAL(2, Result.STATUS),
  REQUEST_FREE(1, Result.STATUS),
  BLOB_PUT(5, Result.NONE),
  BLOB_GET(5, Result.NONE),
  BLOB_SPECIFIC(3, Result.NONE),
  BLOB_OPTIONAL(3, Result.NONE),
  TOKEN_COMPARE(4, Result.STATUS),
  TOKEN_TO_STRING(4, Result.STATUS),
  TOKEN_FROM_STRING(4, Result.STATUS),
  OPTIONAL(4, Result.STATUS);

  /** The type of a callback's result, which determines how the callback reports failure. */
  enum Result {
    /** A pointer; null on failure. */
    POINTER,
    /** An {@code herr_t}; -1 on failure. */
    STATUS,
    /** Not a callback, or one that this connector does not have: the slot is zero. */
    NONE
  }

  /** The most parameters of a callback that {@link Dispatch#few} takes. */
  private static final int FEW = 6;

  private static final int MANY_PARAMETERS = 4;
  private static final int TRANSFERS = 8;

  final int parameters;
  final Result result;

  ClassSlot(int parameters, Result result) {
    this.parameters = parameters;
    this.result = result;
  }

  private static final ClassSlot[] ALL = values();

  /** Returns the slot of an ordinal. */
  public static ClassSlot at(int ordinal) {
    return ALL[ordinal];
  }

  /**
   * Returns what {@code hyperslab-bridge.c} has to know of a callback, with its numbers. These are
   * the answer of a process that forked, whether the callback has many parameters, and whether
   * these are arrays of datasets, of which one dataset's entries are passed. In such a process,
   * what only ends or frees something succeeds, so that it can exit.
   */
  public byte traits() {
    boolean ends = this == TERMINATE || name().endsWith("_CLOSE") || name().endsWith("_FREE");
    int answer =
        switch (result) {
          case NONE -> 0;
          case POINTER -> 1;
          case STATUS -> ends ? 3 : 2;
        };
    boolean transfers = this == DATASET_READ || this == DATASET_WRITE;
    return (byte) (answer | (parameters > FEW ? MANY_PARAMETERS : 0) | (transfers ? TRANSFERS : 0));
  }

  /** Returns the callback's result for a failure. */
  public long failure() {
    return result == Result.POINTER ? 0 : -1;
  }
}
