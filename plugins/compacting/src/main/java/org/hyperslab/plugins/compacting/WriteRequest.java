package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;

/**
 * Elements to be written.
 *
 * @param buffer must neither change nor become inaccessible before the reply; accessible by every
 *     thread
 */
public record WriteRequest(
    DataKey key, Origin origin, Region region, ElementKind kind, MemorySegment buffer)
    implements RawRequest {

  /**
   * Checks the buffer's size.
   *
   * @throws org.hyperslab.error.InvalidUseException if it is not that of the region
   */
  public WriteRequest {
    region.requireBuffer(kind, buffer);
  }
}
