package org.hyperslab.plugins.compacting.plan;

/** Receives runs of elements that are contiguous in row-major order. */
@FunctionalInterface
interface RunSink {

  /**
   * Receives a run.
   *
   * @param offset the element offset of its first element in the dataset
   * @param length the number of its elements, at least 1
   * @param ordinal the position of its first element in the order of transfer
   */
  void run(long offset, long length, long ordinal);
}
