package org.hyperslab.plugins.compacting.plan;

import org.hyperslab.error.InvalidUseException;

/**
 * Limits for merging requests.
 *
 * @param enabled whether requests are merged, folded and answered from queued writes. If not, each
 *     one is carried out unchanged; only the order is kept
 * @param mergeBelowBytes the size, in bytes, from which a request is carried out unchanged unless
 *     it overlaps another request of its client. Merging can cost a copy, which pays off for small
 *     requests only
 * @param maxMergedBytes the largest merged request, in bytes; a single request may be larger
 */
public record MergeOptions(boolean enabled, long mergeBelowBytes, long maxMergedBytes) {

  /** The default limits: merges requests below 1 MiB into requests of at most 16 MiB. */
  public static final MergeOptions DEFAULT = new MergeOptions(true, 1L << 20, 16L << 20);

  /**
   * Checks the limits.
   *
   * @throws InvalidUseException if {@code mergeBelowBytes} is negative or {@code maxMergedBytes} is
   *     not positive
   */
  public MergeOptions {
    if (mergeBelowBytes < 0 || maxMergedBytes < 1) {
      throw new InvalidUseException(
          "limits for merging: actual=merge below "
              + mergeBelowBytes
              + " bytes, at most "
              + maxMergedBytes
              + " bytes merged, expected=at least 0 and at least 1");
    }
  }
}
