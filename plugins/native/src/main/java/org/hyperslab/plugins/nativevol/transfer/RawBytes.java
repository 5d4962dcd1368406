package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a dataset's elements, or of one of its chunks; offset 0 is the first byte of the
 * first element.
 *
 * <p>Thread rule: any number of threads, on disjoint ranges.
 */
public interface RawBytes {

  /**
   * Reads bytes from an offset on until the target is full.
   *
   * @param offset the first byte, from the beginning of the dataset's storage
   * @param target the memory to read into
   */
  void read(long offset, MemorySegment target);

  /**
   * Writes all bytes of the source at an offset.
   *
   * @param offset the first byte, from the beginning of the dataset's storage
   * @param source the memory to write from
   */
  void write(long offset, MemorySegment source);
}
