package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * Is shown the elements of filtered chunks while they are encoded.
 *
 * <p>Thread rule: any number of threads encode; one thread stores.
 */
public interface ChunkObserver {

  /** Looks at nothing that it is shown. */
  ChunkObserver NONE =
      new ChunkObserver() {
        @Override
        public void encoded(long[] scaled, MemorySegment chunk, boolean isInside) {}

        @Override
        public void stored(long[] scaled) {}
      };

  /**
   * Sees the elements of a chunk that is about to be stored.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param chunk its elements, as they are before the filters
   * @param isInside whether the whole chunk lies in the extent
   */
  void encoded(long[] scaled, MemorySegment chunk, boolean isInside);

  /**
   * Takes note that a chunk has been stored, as it was seen last.
   *
   * @param scaled the chunk
   */
  void stored(long[] scaled);
}
