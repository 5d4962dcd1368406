package org.hyperslab.format.filter;

import java.util.List;
import java.util.Optional;

/**
 * The dataset that a filter is configured for: the arguments of HDF5's "set local" callback.
 *
 * @param element the layout of an element
 * @param chunkDimensions the chunk's extent in elements, slowest dimension first; at least one
 * @param fillValue the bytes of one element as in the file, or empty if the fill value is
 *     undefined; a default fill value is all zeros, not empty
 */
public record FilterContext(
    ElementLayout element, List<Long> chunkDimensions, Optional<FillBytes> fillValue) {

  /** Copies the dimensions. */
  public FilterContext {
    chunkDimensions = List.copyOf(chunkDimensions);
  }

  /**
   * {@return a context with the default fill value, all zeros}
   *
   * @param element the layout of an element
   * @param chunkDimensions the chunk's lengths, slowest dimension first
   */
  public static FilterContext of(ElementLayout element, List<Long> chunkDimensions) {
    return new FilterContext(
        element, chunkDimensions, Optional.of(new FillBytes(new byte[element.sizeBytes()])));
  }

  /** {@return the number of elements in a chunk} */
  public long chunkElements() {
    long elements = 1;
    for (long extent : chunkDimensions) {
      elements = Math.multiplyExact(elements, extent);
    }
    return elements;
  }

  /** {@return the size of a chunk in bytes} */
  public long chunkBytes() {
    return Math.multiplyExact(chunkElements(), element.sizeBytes());
  }

  /** The bytes of a fill value; immutable. */
  public static final class FillBytes {
    private final byte[] bytes;

    /**
     * Keeps a copy of {@code bytes}.
     *
     * @param bytes the bytes
     */
    public FillBytes(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    /** {@return a copy of the bytes} */
    public byte[] toArray() {
      return bytes.clone();
    }
  }
}
