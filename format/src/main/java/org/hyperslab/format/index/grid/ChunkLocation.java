package org.hyperslab.format.index.grid;

import org.hyperslab.format.io.FileGeometry;

/**
 * The location of a chunk in the file.
 *
 * @param address the address of its first byte, or {@link FileGeometry#UNDEFINED} if the chunk was
 *     never written
 * @param storedBytes its size in the file in bytes, after filters; 0 if not allocated
 * @param filterMask bit <i>i</i> set means that filter <i>i</i> of the pipeline was skipped
 */
public record ChunkLocation(long address, long storedBytes, int filterMask) {

  /** The location of a chunk that was never written and reads as the fill value. */
  public static final ChunkLocation NONE = new ChunkLocation(FileGeometry.UNDEFINED, 0, 0);

  /** {@return whether the chunk is stored in the file} */
  public boolean isAllocated() {
    return address != FileGeometry.UNDEFINED;
  }
}
