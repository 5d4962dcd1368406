package org.hyperslab.examples.flashio;

/** Hears how far a run has come. */
@FunctionalInterface
public interface FlashProgress {

  /** Hears nothing. */
  FlashProgress NONE = (task, done, total) -> {};

  /**
   * A part of the work is done.
   *
   * @param task what is going on, such as {@code writing flash_io_test_hdf5_chk_0000}
   * @param doneBytes bytes of this task so far
   * @param totalBytes bytes of this task in all
   */
  void advanced(String task, long doneBytes, long totalBytes);
}
