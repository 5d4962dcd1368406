package org.hyperslab.tools.repack;

import java.util.List;
import org.hyperslab.model.FilterSpec;

/** Receives the progress of a repacking. */
interface RepackListener {

  /** Ignores all reports of progress. */
  RepackListener SILENT = new RepackListener() {};

  /** The kind of object that was copied. */
  enum Kind {
    /** A group and its attributes. */
    GROUP,
    /** A dataset with its elements. */
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
   * @param kind the kind of the object or link
   * @param path its path
   * @param filters the filters of a dataset in the copy; empty for other kinds
   * @param ratio the ratio of the bytes of a dataset's elements to their stored bytes in the copy;
   *     0 if these are none, and for other kinds
   */
  default void finished(Kind kind, String path, List<FilterSpec> filters, double ratio) {}

  /**
   * Called when a dataset is copied as stored, although the plan requests something else.
   *
   * @param path the dataset
   * @param reason the reason
   */
  default void keptAsStored(String path, String reason) {}

  /**
   * Called when a link is left out.
   *
   * @param path the link
   */
  default void pruned(String path) {}
}
