package org.hyperslab.mpiio.plan;

import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.StorageCosts;

/**
 * The division of {@code cb_buffer_size} into buffers. There are two staging buffers, so that one
 * cycle's messages are transferred while the other's bytes go to the file, one window in which
 * pieces are assembled, and two buffers for packing messages from scattered memory. Their sum is at
 * most the hint, unless that is less than eight bytes.
 *
 * @param stagingBytes the greatest number of bytes of all ranks in a cycle
 * @param windowBytes the window of an {@link WindowAssembly} that is fed by messages
 * @param messageBytes the longest message
 * @param directWindowBytes the window of an assembly that reaches all memory directly
 */
public record BufferSizes(
    long stagingBytes, long windowBytes, long messageBytes, long directWindowBytes) {

  /** The window that fits the cache of a core together with the pieces that fill it. */
  private static final long CACHED_BYTES = 512 << 10;

  /** The window if memory is reached directly, when one core alone fills and empties it. */
  private static final long DIRECT_BYTES = 256 << 10;

  /** The least ratio of a request's work to its fixed cost. */
  private static final long WORTH = 64;

  /** The alignment of the ends of windows, so that each page and block is written once. */
  private static final long GRAIN_BYTES = 64 << 10;

  /**
   * {@return the sizes that hints and a file system suggest}
   *
   * @param hints the hints
   * @param costs the costs of requests
   */
  public static BufferSizes of(Hints hints, StorageCosts costs) {
    long all = hints.buffering().bufferBytes();
    long quarter = Math.max(1, all / 4);
    long worth = costs.requestNanos() * WORTH * 1024 / Math.max(1, costs.nanosPerKibibyte());
    long worthy = worth - worth % GRAIN_BYTES;
    long window = Math.max(CACHED_BYTES, worthy);
    return new BufferSizes(
        quarter,
        Math.min(quarter, window),
        Math.max(1, all / 8),
        Math.min(all, Math.max(DIRECT_BYTES, worthy)));
  }
}
