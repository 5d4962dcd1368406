package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/**
 * A request to read elements.
 *
 * @param key the dataset
 * @param origin the sender
 * @param region the elements to read
 * @param kind the type of the elements in the buffer
 * @param buffer receives the elements. It must be accessible by every thread. Its content is
 *     undefined until the reply, and after a failure
 */
public record ReadRequest(
    DataKey key, RequestOrigin origin, Region region, ElementKind kind, MemorySegment buffer)
    implements RawRequest {

  /**
   * Checks the size of the buffer.
   *
   * @throws org.hyperslab.error.InvalidUseException if the buffer's size is not that of the region
   */
  public ReadRequest {
    region.requireBuffer(kind, buffer);
  }
}
