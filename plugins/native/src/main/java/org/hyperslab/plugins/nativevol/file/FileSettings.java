package org.hyperslab.plugins.nativevol.file;

import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.VersionBounds;
import org.hyperslab.model.SpaceStrategy;

/**
 * The settings of a whole file: the values of its superblock and the superblock's extension, and
 * which generations of structures may be added to it.
 *
 * @param groupLeafK K of symbol table nodes
 * @param groupInternalK K of group B-tree nodes
 * @param chunkInternalK K of chunk B-tree nodes
 * @param space how file space is managed
 * @param low the generation of structures that are added, unless something needs a newer one
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
