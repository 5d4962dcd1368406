package org.hyperslab.plugins.mpiio.transfer;

import java.util.Arrays;

/**
 * A chunk's coordinates as a key, in row-major order.
 *
 * @param scaled the coordinates, in chunks; must not be changed
 */
public record ChunkKey(long[] scaled) implements Comparable<ChunkKey> {

  @Override
  public int compareTo(ChunkKey other) {
    return Arrays.compare(scaled, other.scaled);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChunkKey key && Arrays.equals(scaled, key.scaled);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(scaled);
  }

  @Override
  public String toString() {
    return Arrays.toString(scaled);
  }
}
