package org.hyperslab.model;

import org.hyperslab.format.space.Dataspace;

/** Chooses the shape of chunks by the extent of a dataset. */
final class ChunkChoice {

  /** The approximate greatest size of a chunk. */
  private static final long CHUNK_BYTES = 1L << 20;

  /** The length to which an empty unlimited dimension is expected to grow. */
  private static final long EXPECTED_GROWTH = 1024;

  private ChunkChoice() {}

  /** Returns the extent, halved until it is small. */
  static long[] dims(Dataspace space, int elementBytes) {
    long[] chunk = space.dims();
    for (int d = 0; d < chunk.length; d++) {
      if (chunk[d] == 0) {
        chunk[d] = expected(space.maxDims()[d]);
      }
    }
    // The slowest dimension is halved first, so that a chunk stays a run of rows as long as
    // possible.
    int d = 0;
    while (Dataspace.bytes(elementBytes, chunk) > CHUNK_BYTES && d < chunk.length) {
      if (chunk[d] == 1) {
        d++;
      } else {
        chunk[d] = (chunk[d] + 1) / 2;
      }
    }
    return chunk;
  }

  private static long expected(long maximum) {
    return maximum == Dataspace.UNLIMITED
        ? EXPECTED_GROWTH
        : Math.clamp(maximum, 1, EXPECTED_GROWTH);
  }
}
