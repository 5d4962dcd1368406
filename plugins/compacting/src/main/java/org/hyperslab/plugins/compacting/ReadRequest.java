package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;

/**
 * Elements to be read.
 *
 * @param buffer receives them; undefined until the reply, and after a failure; accessible by every
 *     thread
 */
public record ReadRequest(
    DataKey key, Origin origin, Region region, ElementKind kind, MemorySegment buffer)
    implements RawRequest {

  /**
   * Checks the buffer's size.
   *
   * @throws org.hyperslab.error.InvalidUseException if it is not that of the region
   */
  public ReadRequest {
    region.requireBuffer(kind, buffer);
  }
}
