package org.hyperslab.plugins.mpiio;

/**
 * How many bytes of elements wait in a rank's own buffers during one transfer: in messages,
 * windows, and chunks that are being made. What the caller's memory holds, the chunk cache and
 * descriptions of places are not among them.
 *
 * <p>Thread rule: confined to one thread.
 */
final class StagedBytes {

  private long now;
  private long peak;

  /** A new transfer begins. */
  void reset() {
    now = 0;
    peak = 0;
  }

  /** Adds bytes that are staged; negative when they are released. */
  void add(long bytes) {
    now += bytes;
    peak = Math.max(peak, now);
  }

  /** Counts bytes that are staged for a moment, beside those that stay. */
  void note(long bytes) {
    add(bytes);
    add(-bytes);
  }

  /** Returns the largest number of bytes staged at one time. */
  long peak() {
    return peak;
  }
}
