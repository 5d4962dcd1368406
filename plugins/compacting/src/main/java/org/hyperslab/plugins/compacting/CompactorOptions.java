package org.hyperslab.plugins.compacting;

import org.hyperslab.error.InvalidUseException;

/**
 * How a compactor works.
 *
 * @param enabled whether requests are merged, folded and stolen from; if not they are only kept in
 *     order, each carried out as it came, so that the two can be compared
 * @param gather how long requests gather on an idle dataset
 * @param maxQueuedBytes bytes of the buffers of all requests that have no reply yet, at most
 * @param maxQueuedRequests their number, at most
 * @param whenFull what happens to a request beyond
 * @param mergeBelowBytes a request of at least so many bytes is carried out as it came unless it
 *     overlaps another of its client: merging may cost a copy, which pays for small requests only
 * @param maxMergedBytes bytes of a merged request, at most; single requests may be larger
 */
public record CompactorOptions(
    boolean enabled,
    Gather gather,
    long maxQueuedBytes,
    int maxQueuedRequests,
    FullPolicy whenFull,
    long mergeBelowBytes,
    long maxMergedBytes) {

  /** The defaults: at most 256 MiB and 65,536 requests, then block; merge what is below 1 MiB. */
  public static final CompactorOptions DEFAULT =
      new CompactorOptions(
          true, Gather.NONE, 256L << 20, 1 << 16, FullPolicy.BLOCK, 1L << 20, 16L << 20);

  /** Requests are kept in order and nothing else. */
  public static final CompactorOptions OFF = DEFAULT.withEnabled(false);

  /** Checks the bounds. */
  public CompactorOptions {
    if (maxQueuedBytes < 1 || maxQueuedRequests < 1 || mergeBelowBytes < 0 || maxMergedBytes < 1) {
      throw new InvalidUseException(
          "compactor limits: actual="
              + maxQueuedBytes
              + " queued bytes, "
              + maxQueuedRequests
              + " queued requests, merge below "
              + mergeBelowBytes
              + " bytes, merged "
              + maxMergedBytes
              + " bytes, expected=all positive");
    }
  }

  /** The same, on or off. */
  public CompactorOptions withEnabled(boolean on) {
    return new CompactorOptions(
        on, gather, maxQueuedBytes, maxQueuedRequests, whenFull, mergeBelowBytes, maxMergedBytes);
  }

  /** The same with other gathering. */
  public CompactorOptions withGather(Gather other) {
    return new CompactorOptions(
        enabled,
        other,
        maxQueuedBytes,
        maxQueuedRequests,
        whenFull,
        mergeBelowBytes,
        maxMergedBytes);
  }

  /** The same with other limits of the queue. */
  public CompactorOptions withQueue(long bytes, int requests, FullPolicy policy) {
    return new CompactorOptions(
        enabled, gather, bytes, requests, policy, mergeBelowBytes, maxMergedBytes);
  }

  /** The same with other sizes of what is merged. */
  public CompactorOptions withMerging(long belowBytes, long mergedBytes) {
    return new CompactorOptions(
        enabled, gather, maxQueuedBytes, maxQueuedRequests, whenFull, belowBytes, mergedBytes);
  }
}
