package org.hyperslab.plugins.compacting.options;

/** The treatment of a request that arrives when the queue is full. */
public enum FullPolicy {
  /** The submitting thread waits for room; collected requests are started. */
  BLOCK,
  /** The request is refused: its reply is a StorageException. Other requests are not affected. */
  REJECT,
  /**
   * The request keeps its place in the order without being counted, and the submitting thread waits
   * until it has been carried out. Memory use is then bounded by the number of submitting threads.
   */
  PASS_THROUGH
}
