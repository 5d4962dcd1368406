package org.hyperslab.plugins.compacting;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.plan.MergeOptions;

/**
 * The options of a compactor.
 *
 * @param merging the limits for merging requests
 * @param gather the conditions for starting collected requests on an idle dataset
 * @param maxQueuedBytes the largest total size, in bytes, of the buffers of requests without a
 *     reply
 * @param maxQueuedRequests the largest number of requests without a reply
 * @param whenFull the treatment of a request that exceeds these limits
 */
public record CompactorOptions(
    MergeOptions merging,
    GatherPolicy gather,
    long maxQueuedBytes,
    int maxQueuedRequests,
    FullPolicy whenFull) {

  /** The defaults: default merging, at most 256 MiB and 65,536 requests, then blocking. */
  public static final CompactorOptions DEFAULT =
      new CompactorOptions(
          MergeOptions.DEFAULT, GatherPolicy.NONE, 256L << 20, 1 << 16, FullPolicy.BLOCK);

  /** The defaults without merging: requests are only kept in order. */
  public static final CompactorOptions OFF = DEFAULT.withEnabled(false);

  /**
   * Checks the bounds.
   *
   * @throws InvalidUseException if a bound of the queue is not positive
   */
  public CompactorOptions {
    if (maxQueuedBytes < 1 || maxQueuedRequests < 1) {
      throw new InvalidUseException(
          "queue of the compactor: actual="
              + maxQueuedBytes
              + " bytes, "
              + maxQueuedRequests
              + " requests, expected=at least 1 byte and 1 request");
    }
  }

  /**
   * Returns these options with merging enabled or disabled.
   *
   * @param on whether to merge
   * @return the changed options
   */
  public CompactorOptions withEnabled(boolean on) {
    MergeOptions changed =
        new MergeOptions(on, merging.mergeBelowBytes(), merging.maxMergedBytes());
    return new CompactorOptions(changed, gather, maxQueuedBytes, maxQueuedRequests, whenFull);
  }

  /**
   * Returns these options with another setting for collecting requests.
   *
   * @param other the new setting
   * @return the changed options
   */
  public CompactorOptions withGather(GatherPolicy other) {
    return new CompactorOptions(merging, other, maxQueuedBytes, maxQueuedRequests, whenFull);
  }

  /**
   * Returns these options with another bound of the queue.
   *
   * @param bytes the largest total size of buffers, in bytes
   * @param requests the largest number of requests
   * @param policy the treatment of a request that exceeds them
   * @return the changed options
   */
  public CompactorOptions withQueue(long bytes, int requests, FullPolicy policy) {
    return new CompactorOptions(merging, gather, bytes, requests, policy);
  }

  /**
   * Returns these options with other sizes for merging.
   *
   * @param belowBytes the size, in bytes, from which a request is not merged
   * @param mergedBytes the largest merged request, in bytes
   * @return the changed options
   */
  public CompactorOptions withMerging(long belowBytes, long mergedBytes) {
    MergeOptions changed = new MergeOptions(merging.enabled(), belowBytes, mergedBytes);
    return new CompactorOptions(changed, gather, maxQueuedBytes, maxQueuedRequests, whenFull);
  }
}
