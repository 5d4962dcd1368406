package org.hyperslab.format.index.chunk;

/**
 * The nodes from the root of a version 1 B-tree down to a leaf, and the entry followed in each.
 * Position 0 is the root.
 */
final class BTreeV1Path {

  private final ChunkBTreeNode[] nodes;
  private final long[] addresses;
  private final int[] entries;
  private int size;

  /** Creates a path with room for {@code length} nodes. */
  BTreeV1Path(int length) {
    nodes = new ChunkBTreeNode[length];
    addresses = new long[length];
    entries = new int[length];
  }

  void add(long address, ChunkBTreeNode node) {
    nodes[size] = node;
    addresses[size++] = address;
  }

  void entryOfLast(int entry) {
    entries[size - 1] = entry;
  }

  /** Returns the position of the leaf. */
  int depth() {
    return size - 1;
  }

  ChunkBTreeNode node(int position) {
    return nodes[position];
  }

  long address(int position) {
    return addresses[position];
  }

  /** Returns the entry of the node at {@code position} that leads to the next node. */
  int entry(int position) {
    return entries[position];
  }
}
