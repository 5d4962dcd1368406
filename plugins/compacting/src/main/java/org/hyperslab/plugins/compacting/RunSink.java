package org.hyperslab.plugins.compacting;

/** Receives runs of elements, contiguous in a dataset laid out in row-major order. */
@FunctionalInterface
interface RunSink {

  /**
   * A run.
   *
   * @param offset the element offset of its first element in the dataset
   * @param length its elements, at least 1
   * @param ordinal the position of its first element in the order of transfer
   */
  void run(long offset, long length, long ordinal);
}
