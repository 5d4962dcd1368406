package org.hyperslab.mpiio.collective;

import org.hyperslab.mpiio.hint.Hints;

/**
 * How {@code cb_buffer_size} is spent: two staging buffers so that one cycle's messages run while
 * the other's bytes go to the file, one window in which pieces are brought together, and two
 * buffers for packing messages from scattered memory. Together they are at most the hint, unless
 * that is less than eight bytes.
 *
 * @param stagingBytes the most bytes of all ranks in a cycle
 * @param windowBytes the window of an {@link Assembly} that is fed by messages
 * @param messageBytes the longest message
 * @param directWindowBytes the window of an assembly that reaches all memory directly
 */
record BufferSizes(long stagingBytes, long windowBytes, long messageBytes, long directWindowBytes) {

  /** What fits the cache of a core beside the pieces that it is filled from. */
  private static final long CACHED_BYTES = 512 << 10;

  /** Where memory is reached directly, a window is filled and emptied by one core alone. */
  private static final long DIRECT_BYTES = 256 << 10;

  /** The work of a request should be this many times its fixed cost. */
  private static final long WORTH = 64;

  /** Windows that end where pages and blocks do have each of them written once. */
  private static final long GRAIN_BYTES = 64 << 10;

  static BufferSizes of(Hints hints, StorageCosts costs) {
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
