package org.hyperslab.format.index.fractal;

import org.hyperslab.error.UnsupportedFeatureException;

/** Reverses the filter pipeline of a heap whose blocks are filtered. */
@FunctionalInterface
public interface HeapFilter {

  /** A filter for callers without one: filtered heaps are refused. */
  HeapFilter NONE =
      (pipeline, mask, stored, decodedBytes) -> {
        throw new UnsupportedFeatureException(
            "fractal heap: actual=filtered blocks, expected=no filters; open it with a filter"
                + " registry");
      };

  /**
   * Decodes stored bytes.
   *
   * @param pipeline the encoded filter pipeline message of the heap
   * @param mask bit i is set if filter i of the pipeline was skipped
   * @param stored the bytes in the file
   * @param decodedBytes the expected number of decoded bytes
   * @return the decoded bytes
   */
  byte[] decode(byte[] pipeline, int mask, byte[] stored, int decodedBytes);
}
