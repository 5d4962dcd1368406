package org.hyperslab.mpiio.schedule;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.store.ByteStore;

/**
 * A store whose requests may name many places of the file at once, as PVFS's list I/O does. Where a
 * request costs a round trip, a list of 64 extents costs one.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public interface ListStore extends ByteStore {

  /**
   * Writes each segment at its offset, in one request.
   *
   * @param offsets the offset of each, in bytes
   * @param sources what to write, one for each extent
   */
  void writeList(long[] offsets, MemorySegment[] sources);

  /**
   * Fills each segment from its offset, in one request.
   *
   * @param offsets the offset of each, in bytes
   * @param targets where to put what is read, one for each extent
   */
  void readList(long[] offsets, MemorySegment[] targets);
}
