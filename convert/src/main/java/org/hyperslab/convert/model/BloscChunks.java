package org.hyperslab.convert.model;

/**
 * Elements whose chunks may be containers of Blosc, which an HDF5 dataset with the same chunks can
 * take without decoding and encoding their elements.
 *
 * <p>Thread rule: any number of threads may pass chunks.
 */
public interface BloscChunks {

  /**
   * Passes a chunk that is a container of Blosc to an HDF5 dataset with the same chunks.
   *
   * @param box the chunk
   * @param sink the dataset
   * @return false if the chunk must be read and written; nothing is written then
   */
  boolean passBlosc(Boxes.Box box, ChunkSink sink);
}
