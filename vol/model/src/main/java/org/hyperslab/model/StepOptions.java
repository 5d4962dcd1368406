package org.hyperslab.model;

import java.time.Duration;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for writing in steps.
 *
 * <p>Thread rule: immutable.
 */
public final class StepOptions {

  /** The default options. */
  public static final StepOptions DEFAULT = builder().build();

  private final List<String> datasets;
  private final Duration flushEvery;
  private final long bufferBytes;
  private final Duration timeout;

  private StepOptions(Builder builder) {
    datasets = builder.datasets;
    flushEvery = builder.flushEvery;
    bufferBytes = builder.bufferBytes;
    timeout = builder.timeout;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.datasets = datasets;
    builder.flushEvery = flushEvery;
    builder.bufferBytes = bufferBytes;
    builder.timeout = timeout;
    return builder;
  }

  /**
   * {@return the paths of the datasets that steps append to; empty for all that can grow along
   * dimension 0}
   */
  public List<String> datasets() {
    return datasets;
  }

  /**
   * {@return the longest time from the end of a step to its publication; zero if each step is
   * published when it ends}
   */
  public Duration flushEvery() {
    return flushEvery;
  }

  /** {@return the greatest number of bytes of appended rows that wait in memory} */
  public long bufferBytes() {
    return bufferBytes;
  }

  /**
   * {@return the longest time that the writer waits for followers of the policy {@link
   * FollowOptions.Policy#BLOCK}}
   */
  public Duration timeout() {
    return timeout;
  }

  static void requirePositive(Duration value, String name, boolean zero) {
    if (value.isNegative() || (value.isZero() && !zero)) {
      throw new InvalidUseException(
          name + ": actual=" + value + ", expected=" + (zero ? "0 or more" : "more than 0"));
    }
  }

  private List<Object> values() {
    return List.of(datasets, flushEvery, bufferBytes, timeout);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StepOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "StepOptions["
        + "datasets="
        + datasets
        + ", flushEvery="
        + flushEvery
        + ", bufferBytes="
        + bufferBytes
        + ", timeout="
        + timeout
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private List<String> datasets = List.of();
    private Duration flushEvery = Duration.ZERO;
    private long bufferBytes = 16L << 20;
    private Duration timeout = Duration.ofMinutes(1);

    private Builder() {}

    /**
     * Sets the datasets that steps append to.
     *
     * @param value their paths, from the root group; empty for all that can grow along dimension 0
     * @return this builder
     */
    public Builder datasets(List<String> value) {
      datasets = value;
      return this;
    }

    /**
     * Sets how long ended steps may wait, so that many are published together.
     *
     * @param value the longest time; zero to publish each step when it ends
     * @return this builder
     */
    public Builder flushEvery(Duration value) {
      requirePositive(value, "flushEvery", true);
      flushEvery = value;
      return this;
    }

    /**
     * Sets how many bytes of appended rows may wait in memory. More are written before their step
     * ends; a writer that is faster than storage waits.
     *
     * @param value the number of bytes
     * @return this builder
     */
    public Builder bufferBytes(long value) {
      if (value < 0) {
        throw new InvalidUseException("bufferBytes: actual=" + value + ", expected=0 or more");
      }
      bufferBytes = value;
      return this;
    }

    /**
     * Sets how long the writer waits for followers of the policy {@link
     * FollowOptions.Policy#BLOCK}.
     *
     * @param value the longest time
     * @return this builder
     */
    public Builder timeout(Duration value) {
      requirePositive(value, "timeout", false);
      timeout = value;
      return this;
    }

    /** {@return the options} */
    public StepOptions build() {
      datasets = List.copyOf(datasets);
      return new StepOptions(this);
    }
  }
}
