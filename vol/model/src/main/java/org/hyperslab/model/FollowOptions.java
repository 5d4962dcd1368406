package org.hyperslab.model;

import java.time.Duration;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for following the steps of a file.
 *
 * <p>Thread rule: immutable.
 */
public final class FollowOptions {

  /** What happens when a writer of steps is faster than one of its readers. */
  public enum Policy {
    /** Nothing: steps stay in the file, and the reader takes every one of them, however late. */
    EVERY,
    /**
     * The writer waits, so that it is never more than a number of steps ahead of the reader. For
     * readers in the writer's program, or through the same staging server.
     */
    BLOCK,
    /**
     * The reader drops steps: it takes the newest ones only, up to a number, and skips those
     * before.
     */
    KEEP_LAST
  }

  /** The default options. */
  public static final FollowOptions DEFAULT = builder().build();

  private final boolean fromNewest;
  private final Policy policy;
  private final long window;
  private final Duration timeout;
  private final Duration poll;

  private FollowOptions(Builder builder) {
    fromNewest = builder.fromNewest;
    policy = builder.policy;
    window = builder.window;
    timeout = builder.timeout;
    poll = builder.poll;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.fromNewest = fromNewest;
    builder.policy = policy;
    builder.window = window;
    builder.timeout = timeout;
    builder.poll = poll;
    return builder;
  }

  /** {@return whether the first step is the newest one, and not that of number 0} */
  public boolean fromNewest() {
    return fromNewest;
  }

  /** {@return what happens when the writer is faster than the reader} */
  public Policy policy() {
    return policy;
  }

  /**
   * {@return the number of steps of the policies {@link Policy#BLOCK} and {@link Policy#KEEP_LAST}}
   */
  public long window() {
    return window;
  }

  /** {@return the longest time that the reader waits for a step} */
  public Duration timeout() {
    return timeout;
  }

  /** {@return the time between two looks at the file while there is no new step} */
  public Duration poll() {
    return poll;
  }

  private List<Object> values() {
    return List.of(fromNewest, policy, window, timeout, poll);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FollowOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "FollowOptions["
        + "fromNewest="
        + fromNewest
        + ", policy="
        + policy
        + ", window="
        + window
        + ", timeout="
        + timeout
        + ", poll="
        + poll
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean fromNewest = false;
    private Policy policy = Policy.EVERY;
    private long window = 1;
    private Duration timeout = Duration.ofMinutes(1);
    private Duration poll = Duration.ofMillis(2);

    private Builder() {}

    /**
     * Sets where a reader begins that comes late.
     *
     * @param value true for the newest step, false for the first one of the file
     * @return this builder
     */
    public Builder fromNewest(boolean value) {
      fromNewest = value;
      return this;
    }

    /**
     * Sets how long the reader waits for a step before it fails.
     *
     * @param value the longest time
     * @return this builder
     */
    public Builder timeout(Duration value) {
      StepOptions.requirePositive(value, "timeout", false);
      timeout = value;
      return this;
    }

    /**
     * Sets how often the reader looks for a new step.
     *
     * @param value the time between two looks
     * @return this builder
     */
    public Builder poll(Duration value) {
      StepOptions.requirePositive(value, "poll", false);
      poll = value;
      return this;
    }

    /**
     * Sets what happens when the writer is faster than the reader.
     *
     * @param value the policy
     * @return this builder
     */
    public Builder policy(Policy value) {
      policy = value;
      return this;
    }

    /**
     * Sets the number of steps of the policies {@link Policy#BLOCK} and {@link Policy#KEEP_LAST}.
     *
     * @param value the number of steps, 1 or more
     * @return this builder
     */
    public Builder window(long value) {
      if (value < 1) {
        throw new InvalidUseException("window: actual=" + value + ", expected=1 or more");
      }
      window = value;
      return this;
    }

    /**
     * Lets the writer wait for the reader.
     *
     * @param steps the number of steps that the writer may be ahead, 1 or more
     * @return this builder
     */
    public Builder block(long steps) {
      return policy(Policy.BLOCK).window(steps);
    }

    /**
     * Lets the reader drop all but the newest steps.
     *
     * @param steps the number of steps that are kept, 1 or more
     * @return this builder
     */
    public Builder keepLast(long steps) {
      return policy(Policy.KEEP_LAST).window(steps);
    }

    /** {@return the options} */
    public FollowOptions build() {
      return new FollowOptions(this);
    }
  }
}
