package org.hyperslab.plugins.nativevol.raw;

/**
 * A chunk and the place of its bytes.
 *
 * @param scaled its index in each dimension: its first element's index divided by the chunk's
 *     extent; must not be modified
 * @param offset the offset of its first byte in the store, user block included
 * @param storedBytes its size in the file in bytes, as filtered
 * @param filterMask bit i is set if filter i was not applied
 */
public record ChunkPlace(long[] scaled, long offset, long storedBytes, int filterMask) {

  /** Compares by identity only. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
