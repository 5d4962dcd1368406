package org.hyperslab.format.metadata;

/** The purpose for which file space is allocated, so that an allocator can group similar data. */
public enum SpaceKind {
  /** Superblock and its extension. */
  SUPERBLOCK,
  /** Object headers and their continuation blocks. */
  OBJECT_HEADER,
  /** B-tree nodes, symbol table nodes, chunk index blocks. */
  INDEX,
  /** Local heaps and fractal heap blocks. */
  HEAP,
  /** Global heap collections. */
  GLOBAL_HEAP,
  /** The elements of datasets. */
  RAW_DATA
}
