package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;

/**
 * A part of a request's buffer.
 *
 * @param request the request
 * @param offsetBytes the offset of the part in the request's buffer, in bytes
 * @param lengthBytes the length of the part in bytes
 */
public record RequestPiece(RawRequest request, long offsetBytes, long lengthBytes) {

  /** {@return the part of the request's buffer, not a copy of it} */
  public MemorySegment bytes() {
    return request.buffer().asSlice(offsetBytes, lengthBytes);
  }
}
