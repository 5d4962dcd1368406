package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a chunk in the file.
 *
 * @param places reads and writes them
 * @param address the address of the first byte
 */
record ChunkBytes(ChunkPlaces places, long address) implements RawBytes {

  @Override
  public void read(long offset, MemorySegment target) {
    places.read(address + offset, target);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    places.write(address + offset, source);
  }
}
