package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/**
 * A request to write elements.
 *
 * @param key the dataset
 * @param origin the sender
 * @param region the elements to write
 * @param kind the type of the elements in the buffer
 * @param buffer the elements. It must be accessible by every thread, and must not change or become
 *     inaccessible before the reply
 */
public record WriteRequest(
    DataKey key, RequestOrigin origin, Region region, ElementKind kind, MemorySegment buffer)
    implements RawRequest {

  /**
   * Checks the size of the buffer.
   *
   * @throws org.hyperslab.error.InvalidUseException if the buffer's size is not that of the region
   */
  public WriteRequest {
    region.requireBuffer(kind, buffer);
  }
}
