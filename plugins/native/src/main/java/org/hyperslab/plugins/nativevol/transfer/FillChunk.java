package org.hyperslab.plugins.nativevol.transfer;

/**
 * A chunk of fill values as it is stored; all such chunks of a dataset have the same stored form.
 *
 * @param places writes chunks
 * @param pattern the stored value, repeated
 * @param storedBytes the stored size of one chunk, in bytes
 * @param filterMask a bit for each filter that was skipped
 */
public record FillChunk(ChunkPlaces places, FillPattern pattern, long storedBytes, int filterMask) {

  /** {@return whether only zeros are stored} */
  public boolean isZero() {
    return pattern.isZero();
  }

  /**
   * Writes adjacent chunks of fill values over a range of the file.
   *
   * @param address the address of the first chunk, bytes from the file's base address
   * @param bytes the number of bytes
   */
  public void write(long address, long bytes) {
    if (bytes > 0) {
      pattern.write(new ChunkBytes(places, address), 0, bytes);
    }
  }
}
