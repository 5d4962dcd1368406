package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;

/** A request that moves elements between a packed buffer and a region of a dataset. */
public sealed interface RawRequest extends Request permits WriteRequest, ReadRequest {

  /** The dataset. */
  DataKey key();

  /** Which elements. */
  Region region();

  /** What elements are in the buffer. */
  ElementKind kind();

  /** The elements in the order of transfer, one behind the other, and nothing else. */
  MemorySegment buffer();

  /** The bytes moved. */
  default long bytes() {
    return buffer().byteSize();
  }
}
