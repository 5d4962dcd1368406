package org.hyperslab.plugins.mpiio.transfer;

/**
 * Counts the bytes of elements staged in a rank's buffers during one transfer: in messages,
 * windows, and chunks that are being built. The caller's memory, the chunk cache and descriptions
 * of places are not counted.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class StagedBytes {

  private long now;
  private long peak;

  /** Resets the counts for a new transfer. */
  public void reset() {
    now = 0;
    peak = 0;
  }

  /** Adds bytes that are staged; negative when they are released. */
  public void add(long bytes) {
    now += bytes;
    peak = Math.max(peak, now);
  }

  /** Counts bytes that are staged briefly, in addition to the current ones. */
  public void note(long bytes) {
    add(bytes);
    add(-bytes);
  }

  /** Returns the largest number of bytes staged at one time. */
  public long peak() {
    return peak;
  }
}
