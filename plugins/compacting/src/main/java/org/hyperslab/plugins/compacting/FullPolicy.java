package org.hyperslab.plugins.compacting;

/** What happens to a request for which there is no room in the queue. */
public enum FullPolicy {
  /** The submitting thread waits until there is room; requests that were gathering are started. */
  BLOCK,
  /** It is refused: its reply is a StorageException that says so. Nothing else is affected. */
  REJECT,
  /**
   * It takes its place in the order without being accounted, and the submitting thread waits until
   * it has been carried out: memory is bounded by what the submitting threads hold.
   */
  PASS_THROUGH
}
