package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a dataset's elements, or of one of its chunks, wherever they are; offset 0 is the
 * first byte of the first element.
 *
 * <p>Thread rule: any number of threads, on disjoint ranges.
 */
public interface RawBytes {

  /** Fills the target from an offset. */
  void read(long offset, MemorySegment target);

  /** Writes all of the source at an offset. */
  void write(long offset, MemorySegment source);
}
