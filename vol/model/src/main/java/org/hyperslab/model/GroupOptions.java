package org.hyperslab.model;

import org.hyperslab.error.InvalidUseException;

/**
 * Options for creating a group.
 *
 * @param creationOrderTracked whether the creation order of links is recorded
 * @param creationOrderIndexed whether it is indexed too
 * @param maxCompact links above this number move to dense storage
 * @param minDense links below this number move back to the object header
 * @param localHeapHintBytes the first size of the local heap of a symbol-table group; 0 for the
 *     default
 * @param estimatedLinks how many links are expected; 0 for the default
 * @param estimatedNameBytes how long their names are expected to be; 0 for the default
 * @param trackTimes whether modification times are recorded
 * @param attributes how attributes are kept
 */
public record GroupOptions(
    boolean creationOrderTracked,
    boolean creationOrderIndexed,
    int maxCompact,
    int minDense,
    int localHeapHintBytes,
    int estimatedLinks,
    int estimatedNameBytes,
    boolean trackTimes,
    AttributeStorage attributes) {

  /** The defaults of the C library, without times. */
  public static final GroupOptions DEFAULT =
      new GroupOptions(false, false, 8, 6, 0, 0, 0, false, AttributeStorage.DEFAULT);

  /** Checks the bounds. */
  public GroupOptions {
    AttributeStorage.checkPhaseChange(maxCompact, minDense);
    if (creationOrderIndexed && !creationOrderTracked) {
      throw new InvalidUseException(
          "creation order: actual=indexed but not tracked, expected=tracked where indexed");
    }
  }

  /** {@return these options with the creation order of links tracked and indexed} */
  public GroupOptions withCreationOrder() {
    return new GroupOptions(
        true,
        true,
        maxCompact,
        minDense,
        localHeapHintBytes,
        estimatedLinks,
        estimatedNameBytes,
        trackTimes,
        attributes);
  }

  /**
   * {@return these options with other limits between compact and dense storage of links}
   *
   * @param newMaxCompact links above this number move to dense storage
   * @param newMinDense links below this number move back to the object header
   */
  public GroupOptions withPhaseChange(int newMaxCompact, int newMinDense) {
    return new GroupOptions(
        creationOrderTracked,
        creationOrderIndexed,
        newMaxCompact,
        newMinDense,
        localHeapHintBytes,
        estimatedLinks,
        estimatedNameBytes,
        trackTimes,
        attributes);
  }

  /**
   * {@return these options with modification times recorded or not}
   *
   * @param newTrackTimes whether times are recorded
   */
  public GroupOptions withTimes(boolean newTrackTimes) {
    return new GroupOptions(
        creationOrderTracked,
        creationOrderIndexed,
        maxCompact,
        minDense,
        localHeapHintBytes,
        estimatedLinks,
        estimatedNameBytes,
        newTrackTimes,
        attributes);
  }

  /**
   * {@return these options with another storage of attributes}
   *
   * @param newAttributes how attributes are kept
   */
  public GroupOptions withAttributes(AttributeStorage newAttributes) {
    return new GroupOptions(
        creationOrderTracked,
        creationOrderIndexed,
        maxCompact,
        minDense,
        localHeapHintBytes,
        estimatedLinks,
        estimatedNameBytes,
        trackTimes,
        newAttributes);
  }

  /**
   * Written by hand: the method generated for a record creates classes at run time, which delays
   * the start of a job's ranks.
   */
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
}
