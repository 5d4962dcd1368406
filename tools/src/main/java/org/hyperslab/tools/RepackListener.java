package org.hyperslab.tools;

import java.util.List;
import org.hyperslab.model.FilterSpec;

/** Is told of the progress of a repacking. */
interface RepackListener {

  /** Ignores everything. */
  RepackListener SILENT = new RepackListener() {};

  /** The kind of object that was copied. */
  enum Kind {
    /** A group. */
    GROUP,
    /** A dataset. */
    DATASET,
    /** A committed type. */
    TYPE,
    /** A soft, external or user-defined link. */
    LINK
  }

  /** {@return whether {@link #finished} is to be called} */
  default boolean wantsObjects() {
    return false;
  }

  /**
   * Called as elements of a dataset are copied.
   *
   * @param path the dataset
   * @param doneBytes the bytes copied so far
   * @param totalBytes the bytes of the dataset
   */
  default void copied(String path, long doneBytes, long totalBytes) {}

  /**
   * Called when an object or a link has been copied.
   *
   * @param kind what it is
   * @param path its path
   * @param filters a dataset's filters in the copy; empty for everything else
   * @param ratio bytes of a dataset's elements to the bytes that they take in the copy; 0 where
   *     they take none, and for everything else
   */
  default void finished(Kind kind, String path, List<FilterSpec> filters, double ratio) {}

  /**
   * Called when a dataset is copied as it is stored, although the plan asks for something else.
   *
   * @param path the dataset
   * @param reason why
   */
  default void keptAsStored(String path, String reason) {}
}
