package org.hyperslab.format.index;

import org.hyperslab.error.UnsupportedFeatureException;

/** Undoes the filter pipeline of a heap whose blocks are filtered. */
@FunctionalInterface
public interface HeapFilter {

  /** A filter for callers that have none available: filtered heaps are refused. */
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
   * @param mask bit i set: filter i of the pipeline was skipped
   * @param stored what the file holds
   * @param decodedBytes how many bytes must come out
   * @return the decoded bytes
   */
  byte[] decode(byte[] pipeline, int mask, byte[] stored, int decodedBytes);
}
