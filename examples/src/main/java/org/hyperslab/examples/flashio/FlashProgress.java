package org.hyperslab.examples.flashio;

/** Receives the progress of a run. */
@FunctionalInterface
public interface FlashProgress {

  /** Ignores the progress. */
  FlashProgress NONE = (task, done, total) -> {};

  /**
   * Called when a part of the work is done.
   *
   * @param task the current task, such as {@code writing flash_io_test_hdf5_chk_0000}
   * @param doneBytes the bytes of this task done so far
   * @param totalBytes the bytes of the whole task
   */
  void advanced(String task, long doneBytes, long totalBytes);
}
