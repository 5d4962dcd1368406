package org.hyperslab.plugins.nativevol.file;

import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.VersionBounds;
import org.hyperslab.model.SpaceStrategy;

/**
 * The settings of a whole file: values of its superblock and the superblock extension, and the
 * generations of structures that may be added to it.
 *
 * @param groupLeafK K, half the greatest number of entries, of symbol table nodes
 * @param groupInternalK K of group B-tree nodes
 * @param chunkInternalK K of chunk B-tree nodes
 * @param space the strategy for managing file space
 * @param low the generation of added structures, unless one needs a newer generation
 * @param high the newest generation of structures that may be added
 */
public record FileSettings(
    int groupLeafK,
    int groupInternalK,
    int chunkInternalK,
    SpaceStrategy space,
    LibraryVersion low,
    LibraryVersion high) {

  /** {@return the generations that bound the encodings of added objects} */
  public VersionBounds bounds() {
    return new VersionBounds(low, high);
  }
}
