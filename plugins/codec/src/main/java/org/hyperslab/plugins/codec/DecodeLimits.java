package org.hyperslab.plugins.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * The limits on the memory that a message may require of its reader.
 *
 * @param controlBytes the greatest length of a control message, in bytes
 * @param payloadBytes the greatest length of a payload, in bytes
 * @param bufferBytes the greatest length of a buffer for a read, in bytes
 * @param memory allocates such buffers, with any contents; writable by any thread
 */
public record DecodeLimits(
    int controlBytes, long payloadBytes, long bufferBytes, LongFunction<MemorySegment> memory) {

  /** The default limits: 16 MiB of control message, 2 GiB of payload and of buffers. */
  public static final DecodeLimits DEFAULT =
      new DecodeLimits(16 << 20, 2L << 30, 2L << 30, DecodeLimits::fresh);

  private static final long HEAP_BYTES = 1 << 20;

  /** Returns zeroed memory that is freed once it is unreachable. */
  static MemorySegment fresh(long bytes) {
    return bytes <= HEAP_BYTES
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : Arena.ofAuto().allocate(bytes, 8);
  }
}
