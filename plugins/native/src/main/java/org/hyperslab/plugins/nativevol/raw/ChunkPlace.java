package org.hyperslab.plugins.nativevol.raw;

/**
 * A chunk and where its bytes are.
 *
 * @param scaled its index in each dimension: its first element's index divided by the chunk's
 *     extent; not changed by anybody
 * @param offset the offset of its first byte in the store, user block included
 * @param storedBytes bytes that it takes there, as filtered
 * @param filterMask bit i is set if filter i was not applied
 */
public record ChunkPlace(long[] scaled, long offset, long storedBytes, int filterMask) {

  /** Compared by identity only. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
