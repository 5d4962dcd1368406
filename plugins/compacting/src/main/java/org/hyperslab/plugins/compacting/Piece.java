package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;

/**
 * A part of a request's buffer.
 *
 * @param request the request
 * @param offsetBytes where the part begins in its buffer
 * @param lengthBytes its length
 */
public record Piece(RawRequest request, long offsetBytes, long lengthBytes) {

  /** The bytes themselves, not a copy. */
  public MemorySegment bytes() {
    return request.buffer().asSlice(offsetBytes, lengthBytes);
  }
}
