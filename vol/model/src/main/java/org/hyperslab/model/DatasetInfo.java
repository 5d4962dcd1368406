package org.hyperslab.model;

import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;

/**
 * The properties of a dataset.
 *
 * @param type the type of its elements, as stored
 * @param committedType the token of the committed type that it shares, if it does
 * @param space its current extent
 * @param options its creation options, as far as the file stores them
 * @param storage the storage of its elements
 */
public record DatasetInfo(
    Datatype type,
    Optional<ObjectToken> committedType,
    Dataspace space,
    DatasetOptions options,
    StorageInfo storage) {

  /**
   * The place of a dataset's elements.
   *
   * <p>What a chunked dataset stores is counted only if it was asked for; otherwise the three
   * counts are -1.
   *
   * @param allocatedBytes bytes of the file that hold elements, as filtered
   * @param offset the file offset of a contiguous dataset's first byte, -1 if none or not
   *     contiguous
   * @param chunkIndex the chunk index's name in the specification, empty if not chunked
   * @param chunkCount chunks allocated; 0 if not chunked
   * @param indexBytes bytes of the chunk index
   */
  public record StorageInfo(
      long allocatedBytes, long offset, String chunkIndex, long chunkCount, long indexBytes) {}
}
