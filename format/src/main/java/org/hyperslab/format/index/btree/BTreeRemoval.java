package org.hyperslab.format.index.btree;

import org.hyperslab.format.metadata.MetadataSpace;

/**
 * Removes a record in one pass from the root: every node on the way is first brought above the low
 * mark, so that removing a record leaves it valid. A record in an internal node is replaced by its
 * neighbour in order, taken from a leaf.
 */
final class BTreeRemoval {

  /** The position in a subtree of the record to remove. */
  private enum Edge {
    FIRST,
    LAST
  }

  private final MetadataSpace space;
  private final BTreeNodes nodes;

  BTreeRemoval(MetadataSpace space, BTreeNodes nodes) {
    this.space = space;
    this.nodes = nodes;
  }

  /**
   * Removes the record equal to the key from a subtree, and returns its bytes, or null if there is
   * none.
   */
  byte[] remove(BTreeNode node, long address, RecordKey key) {
    int found = node.locate(key);
    if (node.depth() == 0) {
      return found < 0 ? null : takeFromLeaf(node, address, found);
    }
    int low = nodes.shape().low(node.depth() - 1);
    int slot = found >= 0 ? found : -found - 1;
    if (found >= 0 && node.childCount(found + 1) > node.childCount(found)) {
      slot = found + 1;
    }
    if (node.childCount(slot) <= low) {
      nodes.refill(node, address, slot);
      found = node.locate(key);
      slot = found >= 0 ? found : -found - 1;
      if (found >= 0 && node.childCount(found + 1) > node.childCount(found)) {
        slot = found + 1;
      }
    }
    return found >= 0
        ? replaceByNeighbour(node, address, found, slot)
        : removeFromChild(node, address, slot, key);
  }

  private byte[] takeFromLeaf(BTreeNode leaf, long address, int index) {
    byte[] taken = leaf.recordBytes(index);
    leaf.closeRecord(index);
    space.markDirty(address, leaf);
    return taken;
  }

  private byte[] removeFromChild(BTreeNode node, long address, int slot, RecordKey key) {
    BTreeNode child = nodes.child(node, slot);
    byte[] removed = remove(child, node.childAddress(slot), key);
    settle(node, address, slot, child, removed != null);
    return removed;
  }

  private byte[] replaceByNeighbour(BTreeNode node, long address, int found, int slot) {
    byte[] removed = node.recordBytes(found);
    BTreeNode child = nodes.child(node, slot);
    byte[] neighbour = take(child, node.childAddress(slot), slot == found ? Edge.LAST : Edge.FIRST);
    System.arraycopy(neighbour, 0, node.records(), node.position(found), neighbour.length);
    settle(node, address, slot, child, true);
    return removed;
  }

  /** Removes and returns the first or last record of a subtree. */
  private byte[] take(BTreeNode node, long address, Edge edge) {
    if (node.depth() == 0) {
      return takeFromLeaf(node, address, edge == Edge.FIRST ? 0 : node.count() - 1);
    }
    int slot = edge == Edge.FIRST ? 0 : node.count();
    if (node.childCount(slot) <= nodes.shape().low(node.depth() - 1)) {
      nodes.refill(node, address, slot);
      slot = edge == Edge.FIRST ? 0 : node.count();
    }
    BTreeNode child = nodes.child(node, slot);
    byte[] taken = take(child, node.childAddress(slot), edge);
    settle(node, address, slot, child, true);
    return taken;
  }

  private void settle(BTreeNode node, long address, int slot, BTreeNode child, boolean removed) {
    node.childCount(slot, child.count());
    if (removed) {
      node.childTotal(slot, node.childTotal(slot) - 1);
    }
    space.markDirty(address, node);
  }
}
