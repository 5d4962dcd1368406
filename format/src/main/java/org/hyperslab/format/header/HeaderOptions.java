package org.hyperslab.format.header;

import java.util.Optional;

/**
 * Options for creating an object header.
 *
 * @param version 1 or 2
 * @param times the times to store; version 2 only
 * @param trackAttributeOrder whether attributes have a creation index; version 2 only
 * @param indexAttributeOrder whether dense attributes have an index by creation order; version 2
 *     only
 * @param phaseChange the thresholds at which attributes become dense, if not the default; version 2
 *     only
 * @param reserveBytes the bytes in the first chunk that are reserved for payloads and headings of
 *     messages other than those given at creation
 */
public record HeaderOptions(
    int version,
    Optional<ObjectTimes> times,
    boolean trackAttributeOrder,
    boolean indexAttributeOrder,
    Optional<PhaseChange> phaseChange,
    int reserveBytes) {

  /**
   * Requires version 1 or 2, no version 2 options in version 1, and a reserve of 0 to 65,535 bytes.
   */
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
   * {@return the options of a header without reserve}
   *
   * @param version the version
   */
  public static HeaderOptions version(int version) {
    return new HeaderOptions(version, Optional.empty(), false, false, Optional.empty(), 0);
  }

  /**
   * Returns these options with a reserve.
   *
   * @param bytes the number of bytes to reserve
   * @return options with this reserve
   */
  public HeaderOptions reserving(int bytes) {
    return new HeaderOptions(
        version, times, trackAttributeOrder, indexAttributeOrder, phaseChange, bytes);
  }

  /**
   * Returns these options with stored times in version 2, and these options unchanged in version 1.
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

  /** Returns the prefix of a header with messages of {@code bytes} bytes in its first chunk. */
  HeaderPrefix prefix(int bytes) {
    return new HeaderPrefix(version, flags(bytes), 0, 1, times, phaseChange, bytes);
  }

  private int flags(int bytes) {
    if (version == 1) {
      return 0;
    }
    int sizeCode = bytes < 256 ? 0 : bytes < 65_536 ? 1 : 2;
    return sizeCode
        | (trackAttributeOrder ? HeaderPrefix.TRACK_ATTRIBUTES : 0)
        | (indexAttributeOrder ? HeaderPrefix.INDEX_ATTRIBUTES : 0)
        | (phaseChange.isPresent() ? HeaderPrefix.PHASE_CHANGE : 0)
        | (times.isPresent() ? HeaderPrefix.TIMES : 0);
  }
}
