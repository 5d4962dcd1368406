package org.hyperslab.model;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for creating a group.
 *
 * <p>Thread rule: immutable.
 */
public final class GroupOptions {

  /** The defaults of the C library, without times. */
  public static final GroupOptions DEFAULT = builder().build();

  private final boolean creationOrderTracked;
  private final boolean creationOrderIndexed;
  private final int maxCompact;
  private final int minDense;
  private final int localHeapHintBytes;
  private final int estimatedLinks;
  private final int estimatedNameBytes;
  private final boolean trackTimes;
  private final AttributeStorage attributes;

  private GroupOptions(Builder builder) {
    creationOrderTracked = builder.creationOrderTracked;
    creationOrderIndexed = builder.creationOrderIndexed;
    maxCompact = builder.maxCompact;
    minDense = builder.minDense;
    localHeapHintBytes = builder.localHeapHintBytes;
    estimatedLinks = builder.estimatedLinks;
    estimatedNameBytes = builder.estimatedNameBytes;
    trackTimes = builder.trackTimes;
    attributes = builder.attributes;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.creationOrderTracked = creationOrderTracked;
    builder.creationOrderIndexed = creationOrderIndexed;
    builder.maxCompact = maxCompact;
    builder.minDense = minDense;
    builder.localHeapHintBytes = localHeapHintBytes;
    builder.estimatedLinks = estimatedLinks;
    builder.estimatedNameBytes = estimatedNameBytes;
    builder.trackTimes = trackTimes;
    builder.attributes = attributes;
    return builder;
  }

  /** {@return whether the creation order of links is recorded} */
  public boolean creationOrderTracked() {
    return creationOrderTracked;
  }

  /** {@return whether the creation order of links is indexed, too} */
  public boolean creationOrderIndexed() {
    return creationOrderIndexed;
  }

  /** {@return the number of links above which they move to dense storage} */
  public int maxCompact() {
    return maxCompact;
  }

  /** {@return the number of links below which they move back to the object header} */
  public int minDense() {
    return minDense;
  }

  /** {@return the first size of the local heap of a symbol-table group; 0 for the default} */
  public int localHeapHintBytes() {
    return localHeapHintBytes;
  }

  /** {@return how many links are expected; 0 for the default} */
  public int estimatedLinks() {
    return estimatedLinks;
  }

  /** {@return how long the names of links are expected to be; 0 for the default} */
  public int estimatedNameBytes() {
    return estimatedNameBytes;
  }

  /** {@return whether modification times are recorded} */
  public boolean trackTimes() {
    return trackTimes;
  }

  /** {@return how attributes are kept} */
  public AttributeStorage attributes() {
    return attributes;
  }

  /** {@return these options with the creation order of links tracked and indexed} */
  public GroupOptions withCreationOrder() {
    return toBuilder().creationOrderTracked(true).creationOrderIndexed(true).build();
  }

  /**
   * {@return these options with other limits between compact and dense storage of links}
   *
   * @param newMaxCompact links above this number move to dense storage
   * @param newMinDense links below this number move back to the object header
   */
  public GroupOptions withPhaseChange(int newMaxCompact, int newMinDense) {
    return toBuilder().maxCompact(newMaxCompact).minDense(newMinDense).build();
  }

  /**
   * {@return these options with modification times recorded or not}
   *
   * @param newTrackTimes whether times are recorded
   */
  public GroupOptions withTimes(boolean newTrackTimes) {
    return toBuilder().trackTimes(newTrackTimes).build();
  }

  /**
   * {@return these options with another storage of attributes}
   *
   * @param newAttributes how attributes are kept
   */
  public GroupOptions withAttributes(AttributeStorage newAttributes) {
    return toBuilder().attributes(newAttributes).build();
  }

  private List<Object> values() {
    return List.of(
        creationOrderTracked,
        creationOrderIndexed,
        maxCompact,
        minDense,
        localHeapHintBytes,
        estimatedLinks,
        estimatedNameBytes,
        trackTimes,
        attributes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "GroupOptions[creationOrderTracked="
        + creationOrderTracked
        + ", creationOrderIndexed="
        + creationOrderIndexed
        + ", maxCompact="
        + maxCompact
        + ", minDense="
        + minDense
        + ", localHeapHintBytes="
        + localHeapHintBytes
        + ", estimatedLinks="
        + estimatedLinks
        + ", estimatedNameBytes="
        + estimatedNameBytes
        + ", trackTimes="
        + trackTimes
        + ", attributes="
        + attributes
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean creationOrderTracked;
    private boolean creationOrderIndexed;
    private int maxCompact = 8;
    private int minDense = 6;
    private int localHeapHintBytes;
    private int estimatedLinks;
    private int estimatedNameBytes;
    private boolean trackTimes;
    private AttributeStorage attributes = AttributeStorage.DEFAULT;

    private Builder() {}

    /**
     * Sets whether the creation order of links is recorded.
     *
     * @param newCreationOrderTracked whether the creation order of links is recorded
     * @return this builder
     */
    public Builder creationOrderTracked(boolean newCreationOrderTracked) {
      this.creationOrderTracked = newCreationOrderTracked;
      return this;
    }

    /**
     * Sets whether the creation order of links is indexed, too.
     *
     * @param newCreationOrderIndexed whether the creation order of links is indexed, too
     * @return this builder
     */
    public Builder creationOrderIndexed(boolean newCreationOrderIndexed) {
      this.creationOrderIndexed = newCreationOrderIndexed;
      return this;
    }

    /**
     * Sets the number of links above which they move to dense storage.
     *
     * @param newMaxCompact the number of links above which they move to dense storage
     * @return this builder
     */
    public Builder maxCompact(int newMaxCompact) {
      this.maxCompact = newMaxCompact;
      return this;
    }

    /**
     * Sets the number of links below which they move back to the object header.
     *
     * @param newMinDense the number of links below which they move back to the object header
     * @return this builder
     */
    public Builder minDense(int newMinDense) {
      this.minDense = newMinDense;
      return this;
    }

    /**
     * Sets the first size of the local heap of a symbol-table group; 0 for the default.
     *
     * @param newLocalHeapHintBytes the first size of the local heap of a symbol-table group; 0 for
     *     the default
     * @return this builder
     */
    public Builder localHeapHintBytes(int newLocalHeapHintBytes) {
      this.localHeapHintBytes = newLocalHeapHintBytes;
      return this;
    }

    /**
     * Sets how many links are expected; 0 for the default.
     *
     * @param newEstimatedLinks how many links are expected; 0 for the default
     * @return this builder
     */
    public Builder estimatedLinks(int newEstimatedLinks) {
      this.estimatedLinks = newEstimatedLinks;
      return this;
    }

    /**
     * Sets how long the names of links are expected to be; 0 for the default.
     *
     * @param newEstimatedNameBytes how long the names of links are expected to be; 0 for the
     *     default
     * @return this builder
     */
    public Builder estimatedNameBytes(int newEstimatedNameBytes) {
      this.estimatedNameBytes = newEstimatedNameBytes;
      return this;
    }

    /**
     * Sets whether modification times are recorded.
     *
     * @param newTrackTimes whether modification times are recorded
     * @return this builder
     */
    public Builder trackTimes(boolean newTrackTimes) {
      this.trackTimes = newTrackTimes;
      return this;
    }

    /**
     * Sets how attributes are kept.
     *
     * @param newAttributes how attributes are kept
     * @return this builder
     */
    public Builder attributes(AttributeStorage newAttributes) {
      this.attributes = newAttributes;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if creation order is indexed but not tracked, or the limits of
     *     dense storage contradict each other
     */
    public GroupOptions build() {
      AttributeStorage.checkPhaseChange(maxCompact, minDense);
      if (creationOrderIndexed && !creationOrderTracked) {
        throw new InvalidUseException(
            "creation order: actual=indexed but not tracked, expected=tracked where indexed");
      }
      return new GroupOptions(this);
    }
  }
}
