package org.hyperslab.plugins.compacting.plan;

import java.lang.foreign.MemorySegment;
import org.hyperslab.plugins.compacting.report.RequestOrigin;

/** A request that moves elements between a packed buffer and a region of a dataset. Immutable. */
public sealed interface RawRequest permits WriteRequest, ReadRequest {

  /** {@return the dataset} */
  DataKey key();

  /** {@return the sender} */
  RequestOrigin origin();

  /** {@return the selected elements} */
  Region region();

  /** {@return the type of the elements in the buffer} */
  ElementKind kind();

  /** {@return the buffer, which holds the elements contiguously in the order of transfer} */
  MemorySegment buffer();

  /** {@return the number of bytes to move} */
  default long bytes() {
    return buffer().byteSize();
  }
}
