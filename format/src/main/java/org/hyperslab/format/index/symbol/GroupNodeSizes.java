package org.hyperslab.format.index.symbol;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * The sizes of the nodes of old-style groups in a file.
 *
 * @param leafK half the greatest number of entries of a symbol table node
 * @param internalK half the greatest number of children of a B-tree node
 */
public record GroupNodeSizes(int leafK, int internalK) {

  /** The default for files that store no values. */
  public static final GroupNodeSizes DEFAULT =
      new GroupNodeSizes(Superblock.DEFAULT_GROUP_LEAF_K, Superblock.DEFAULT_GROUP_INTERNAL_K);

  /** Requires values of 1 to 65,535. */
  public GroupNodeSizes {
    if (leafK < 1 || internalK < 1 || leafK > 65_535 || internalK > 65_535) {
      throw new IllegalArgumentException("K values " + leafK + ", " + internalK);
    }
  }

  int entries() {
    return 2 * leafK;
  }

  int children() {
    return 2 * internalK;
  }

  long symbolNodeBytes(FileGeometry geometry) {
    return 8 + (long) entries() * SymbolTableEntry.encodedSize(geometry);
  }

  long treeNodeBytes(FileGeometry geometry) {
    return 8
        + 2L * geometry.sizeOfOffsets()
        + (long) children() * geometry.sizeOfOffsets()
        + (children() + 1L) * geometry.sizeOfLengths();
  }
}
