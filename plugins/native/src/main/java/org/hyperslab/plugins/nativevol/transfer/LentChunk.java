package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * The decoded bytes of a chunk, lent until this is closed.
 *
 * <p>Thread rule: confined to one thread.
 *
 * @param bytes the bytes, of the size of a chunk
 * @param end gives the bytes back to their owner
 */
record LentChunk(MemorySegment bytes, Runnable end) implements AutoCloseable {

  @Override
  public void close() {
    end.run();
  }
}
