package org.hyperslab.format.header;

import java.util.Optional;

/**
 * Options for creating an object header.
 *
 * @param version 1 or 2
 * @param times the times to store; version 2 only
 * @param trackAttributeOrder whether attributes carry a creation index; version 2 only
 * @param indexAttributeOrder whether dense attributes have an index by it; version 2 only
 * @param phaseChange when attributes become dense, if not the default; version 2 only
 * @param reserveBytes room in the first chunk for messages besides those given at creation, bytes
 *     of payloads and headings
 */
public record HeaderOptions(
    int version,
    Optional<ObjectTimes> times,
    boolean trackAttributeOrder,
    boolean indexAttributeOrder,
    Optional<PhaseChange> phaseChange,
    int reserveBytes) {

  /** Requires version 1 or 2, nothing of version 2 in version 1, and a reserve of 0 to 65,535. */
  public HeaderOptions {
    boolean modern =
        times.isPresent() || trackAttributeOrder || indexAttributeOrder || phaseChange.isPresent();
    if (version < 1 || version > 2 || (version == 1 && modern)) {
      throw new IllegalArgumentException("object header version " + version);
    }
    if (reserveBytes < 0 || reserveBytes > 65_535) {
      throw new IllegalArgumentException("reserve " + reserveBytes);
    }
  }

  /**
   * {@return a plain header of a version, with no room to spare}
   *
   * @param version the version
   */
  public static HeaderOptions version(int version) {
    return new HeaderOptions(version, Optional.empty(), false, false, Optional.empty(), 0);
  }

  /**
   * With room to spare.
   *
   * @param bytes the number of bytes to reserve
   * @return options with this reserve
   */
  public HeaderOptions reserving(int bytes) {
    return new HeaderOptions(
        version, times, trackAttributeOrder, indexAttributeOrder, phaseChange, bytes);
  }

  /**
   * With times stored, in version 2; unchanged in version 1.
   *
   * @param newTimes the times to store
   * @return options with these times
   */
  public HeaderOptions storing(ObjectTimes newTimes) {
    return version == 1
        ? this
        : new HeaderOptions(
            version,
            Optional.of(newTimes),
            trackAttributeOrder,
            indexAttributeOrder,
            phaseChange,
            reserveBytes);
  }
}
