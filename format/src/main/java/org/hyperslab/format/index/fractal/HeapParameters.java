package org.hyperslab.format.index.fractal;

/**
 * The creation parameters of a fractal heap.
 *
 * @param tableWidth the number of blocks in a row of the doubling table, a power of two
 * @param startBlockBytes the size of the smallest direct block in bytes, a power of two
 * @param maximumDirectBytes the size of the largest direct block in bytes, a power of two
 * @param maximumIndexBits log2 of the greatest size of the heap's address space
 * @param startRootRows the number of rows of the root indirect block when it is created
 * @param maximumManagedBytes the size in bytes above which objects are stored outside blocks
 * @param checksumDirectBlocks whether direct blocks have a checksum
 * @param idBytes the length of heap ids in bytes; 0 for just enough for managed objects
 */
public record HeapParameters(
    int tableWidth,
    int startBlockBytes,
    int maximumDirectBytes,
    int maximumIndexBits,
    int startRootRows,
    int maximumManagedBytes,
    boolean checksumDirectBlocks,
    int idBytes) {

  /** The parameters for dense links: ids of seven bytes. Source: H5Gdense.c. */
  public static final HeapParameters LINKS =
      new HeapParameters(4, 512, 64 * 1024, 32, 1, 4096, true, 7);

  /** The parameters for dense attributes: ids of eight bytes. Source: H5Adense.c. */
  public static final HeapParameters ATTRIBUTES =
      new HeapParameters(4, 1024, 64 * 1024, 40, 1, 4096, true, 8);
}
