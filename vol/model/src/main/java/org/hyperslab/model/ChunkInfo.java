package org.hyperslab.model;

import java.util.List;

/**
 * An allocated chunk.
 *
 * @param offset its first element's coordinates, one for each dimension
 * @param address its file offset in bytes
 * @param storedBytes its length in the file
 * @param filterMask bit i is set if filter i was not applied
 */
public record ChunkInfo(List<Long> offset, long address, long storedBytes, int filterMask) {

  /** Copies the coordinates. */
  public ChunkInfo {
    offset = List.copyOf(offset);
  }
}
