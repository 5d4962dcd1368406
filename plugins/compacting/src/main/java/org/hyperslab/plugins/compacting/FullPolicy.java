package org.hyperslab.plugins.compacting;

/** What happens to a request when the queue is full. */
public enum FullPolicy {
  /** The submitting thread waits for room; requests that were being collected are started. */
  BLOCK,
  /** The request is refused: its reply is a StorageException. Nothing else is affected. */
  REJECT,
  /**
   * The request keeps its place in the order without being counted, and the submitting thread waits
   * until it has been carried out. The memory in use is then bounded by the number of submitting
   * threads.
   */
  PASS_THROUGH
}
