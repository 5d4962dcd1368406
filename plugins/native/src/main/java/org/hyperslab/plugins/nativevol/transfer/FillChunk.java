package org.hyperslab.plugins.nativevol.transfer;

/**
 * A chunk of fill values as it is stored; all such chunks of a dataset are stored alike.
 *
 * @param places where chunks are written
 * @param pattern the stored value, repeated
 * @param storedBytes of one chunk
 * @param filterMask filters that were left out, a bit each
 */
public record FillChunk(ChunkPlaces places, FillPattern pattern, long storedBytes, int filterMask) {

  /** {@return whether nothing but zeros is stored} */
  public boolean isZero() {
    return pattern.isZero();
  }

  /**
   * Writes such chunks side by side over {@code bytes} of the file from an address on.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param bytes the number of bytes
   */
  public void write(long address, long bytes) {
    if (bytes > 0) {
      pattern.write(new ChunkBytes(places, address), 0, bytes);
    }
  }
}
