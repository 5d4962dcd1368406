package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;

/**
 * All elements of a dataset as one array of bytes, file form, row-major, wherever it is. Offsets are
 * bytes from the first element.
 */
interface FlatBytes {

  /** Fills {@code target} from {@code offset}. */
  void read(long offset, MemorySegment target);

  /** Writes {@code source} at {@code offset}. */
  void write(long offset, MemorySegment source);
}
