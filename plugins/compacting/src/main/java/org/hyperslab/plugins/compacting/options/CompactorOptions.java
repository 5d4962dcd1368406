package org.hyperslab.plugins.compacting.options;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * The options of a compactor.
 *
 * <p>Thread rule: immutable.
 */
public final class CompactorOptions {

  /** The defaults: default merging, at most 256 MiB and 65,536 requests, then blocking. */
  public static final CompactorOptions DEFAULT = builder().build();

  /** The defaults without merging: requests are only kept in order. */
  public static final CompactorOptions OFF = DEFAULT.withEnabled(false);

  private final boolean enabled;
  private final long mergeBelowBytes;
  private final long maxMergedBytes;
  private final GatherPolicy gather;
  private final long maxQueuedBytes;
  private final int maxQueuedRequests;
  private final FullPolicy whenFull;

  private CompactorOptions(Builder builder) {
    enabled = builder.enabled;
    mergeBelowBytes = builder.mergeBelowBytes;
    maxMergedBytes = builder.maxMergedBytes;
    gather = builder.gather;
    maxQueuedBytes = builder.maxQueuedBytes;
    maxQueuedRequests = builder.maxQueuedRequests;
    whenFull = builder.whenFull;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.enabled = enabled;
    builder.mergeBelowBytes = mergeBelowBytes;
    builder.maxMergedBytes = maxMergedBytes;
    builder.gather = gather;
    builder.maxQueuedBytes = maxQueuedBytes;
    builder.maxQueuedRequests = maxQueuedRequests;
    builder.whenFull = whenFull;
    return builder;
  }

  /** {@return whether requests are merged} */
  public boolean enabled() {
    return enabled;
  }

  /** {@return the size, in bytes, from which a request is not merged} */
  public long mergeBelowBytes() {
    return mergeBelowBytes;
  }

  /** {@return the largest merged request, in bytes; a single request may be larger} */
  public long maxMergedBytes() {
    return maxMergedBytes;
  }

  /** {@return the conditions for starting collected requests on an idle dataset} */
  public GatherPolicy gather() {
    return gather;
  }

  /** {@return the largest total size, in bytes, of the buffers of requests without a reply} */
  public long maxQueuedBytes() {
    return maxQueuedBytes;
  }

  /** {@return the largest number of requests without a reply} */
  public int maxQueuedRequests() {
    return maxQueuedRequests;
  }

  /** {@return the treatment of a request that exceeds these limits} */
  public FullPolicy whenFull() {
    return whenFull;
  }

  /**
   * Returns these options with merging enabled or disabled.
   *
   * @param on whether to merge
   * @return the changed options
   */
  public CompactorOptions withEnabled(boolean on) {
    return toBuilder().enabled(on).build();
  }

  /**
   * Returns these options with another setting for collecting requests.
   *
   * @param other the new setting
   * @return the changed options
   */
  public CompactorOptions withGather(GatherPolicy other) {
    return toBuilder().gather(other).build();
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
    return toBuilder().maxQueuedBytes(bytes).maxQueuedRequests(requests).whenFull(policy).build();
  }

  /**
   * Returns these options with other sizes for merging.
   *
   * @param belowBytes the size, in bytes, from which a request is not merged
   * @param mergedBytes the largest merged request, in bytes
   * @return the changed options
   */
  public CompactorOptions withMerging(long belowBytes, long mergedBytes) {
    return toBuilder().mergeBelowBytes(belowBytes).maxMergedBytes(mergedBytes).build();
  }

  private List<Object> values() {
    return List.of(
        enabled,
        mergeBelowBytes,
        maxMergedBytes,
        gather,
        maxQueuedBytes,
        maxQueuedRequests,
        whenFull);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompactorOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "CompactorOptions[enabled="
        + enabled
        + ", mergeBelowBytes="
        + mergeBelowBytes
        + ", maxMergedBytes="
        + maxMergedBytes
        + ", gather="
        + gather
        + ", maxQueuedBytes="
        + maxQueuedBytes
        + ", maxQueuedRequests="
        + maxQueuedRequests
        + ", whenFull="
        + whenFull
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean enabled = true;
    private long mergeBelowBytes = 1L << 20;
    private long maxMergedBytes = 16L << 20;
    private GatherPolicy gather = GatherPolicy.NONE;
    private long maxQueuedBytes = 256L << 20;
    private int maxQueuedRequests = 1 << 16;
    private FullPolicy whenFull = FullPolicy.BLOCK;

    private Builder() {}

    /**
     * Sets whether requests are merged.
     *
     * @param newEnabled whether requests are merged
     * @return this builder
     */
    public Builder enabled(boolean newEnabled) {
      this.enabled = newEnabled;
      return this;
    }

    /**
     * Sets the size, in bytes, from which a request is not merged.
     *
     * @param newMergeBelowBytes the size, in bytes, from which a request is not merged
     * @return this builder
     */
    public Builder mergeBelowBytes(long newMergeBelowBytes) {
      this.mergeBelowBytes = newMergeBelowBytes;
      return this;
    }

    /**
     * Sets the largest merged request, in bytes.
     *
     * @param newMaxMergedBytes the largest merged request, in bytes; a single request may be larger
     * @return this builder
     */
    public Builder maxMergedBytes(long newMaxMergedBytes) {
      this.maxMergedBytes = newMaxMergedBytes;
      return this;
    }

    /**
     * Sets the conditions for starting collected requests on an idle dataset.
     *
     * @param newGather the conditions for starting collected requests on an idle dataset
     * @return this builder
     */
    public Builder gather(GatherPolicy newGather) {
      this.gather = newGather;
      return this;
    }

    /**
     * Sets the largest total size, in bytes, of the buffers of requests without a reply.
     *
     * @param newMaxQueuedBytes the largest total size, in bytes, of the buffers of requests without
     *     a reply
     * @return this builder
     */
    public Builder maxQueuedBytes(long newMaxQueuedBytes) {
      this.maxQueuedBytes = newMaxQueuedBytes;
      return this;
    }

    /**
     * Sets the largest number of requests without a reply.
     *
     * @param newMaxQueuedRequests the largest number of requests without a reply
     * @return this builder
     */
    public Builder maxQueuedRequests(int newMaxQueuedRequests) {
      this.maxQueuedRequests = newMaxQueuedRequests;
      return this;
    }

    /**
     * Sets the treatment of a request that exceeds these limits.
     *
     * @param newWhenFull the treatment of a request that exceeds these limits
     * @return this builder
     */
    public Builder whenFull(FullPolicy newWhenFull) {
      this.whenFull = newWhenFull;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if a bound of the queue or of a merged request is not positive
     */
    public CompactorOptions build() {
      if (maxQueuedBytes < 1 || maxQueuedRequests < 1) {
        throw new InvalidUseException(
            "queue of the compactor: actual="
                + maxQueuedBytes
                + " bytes, "
                + maxQueuedRequests
                + " requests, expected=at least 1 byte and 1 request");
      }
      if (mergeBelowBytes < 0 || maxMergedBytes < 1) {
        throw new InvalidUseException(
            "limits for merging: actual=merge below "
                + mergeBelowBytes
                + " bytes, at most "
                + maxMergedBytes
                + " bytes merged, expected=at least 0 and at least 1");
      }
      return new CompactorOptions(this);
    }
  }
}
