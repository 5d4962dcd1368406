package org.hyperslab.format.index.btree;

import java.util.Set;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The nodes of one tree: loads and creates them, and splits, balances and merges neighbours to keep
 * them neither too full nor too empty.
 *
 * <p>Thread rule: loading in any number of threads; everything else under the write lock.
 */
final class BTreeNodes {

  private final MetadataSpace space;
  private final BTreeShape shape;
  private long lastAddress;

  BTreeNodes(MetadataSpace space, BTreeShape shape) {
    this.space = space;
    this.shape = shape;
  }

  BTreeShape shape() {
    return shape;
  }

  BTreeNode load(long address, int depth, int count, long total) {
    BTreeNode node =
        space.load(
            address,
            shape.nodeBytes(),
            BTreeNode.STRUCTURE,
            BTreeNode.class,
            reader -> BTreeNode.decode(reader, shape, depth, count, total));
    if (node.depth() != depth || node.count() != count || !node.shape().isLike(shape)) {
      throw new CorruptFileException(
          space.geometry().file(),
          BTreeNode.STRUCTURE,
          address,
          "node claimed twice, actual=type "
              + node.shape().type()
              + " depth "
              + node.depth()
              + " with "
              + node.count()
              + " records, expected=type "
              + shape.type()
              + " depth "
              + depth
              + " with "
              + count
              + " records");
    }
    return node;
  }

  BTreeNode child(BTreeNode parent, int index) {
    return load(
        parent.childAddress(index),
        parent.depth() - 1,
        parent.childCount(index),
        parent.childTotal(index));
  }

  /** Creates an empty node; its address is {@link #lastAddress()}. */
  BTreeNode create(int depth) {
    BTreeNode node = new BTreeNode(shape, depth);
    lastAddress = space.allocate(SpaceKind.INDEX, shape.nodeBytes());
    space.insert(lastAddress, node);
    return node;
  }

  /** Returns the address of the node created last. */
  long lastAddress() {
    return lastAddress;
  }

  void release(long address) {
    space.discard(address);
    space.free(SpaceKind.INDEX, address, shape.nodeBytes());
  }

  /** Requires that a node was not met before in the same pass; otherwise two parents claim it. */
  void requireNew(long address, Set<Long> seen) {
    if (!seen.add(address)) {
      throw new CorruptFileException(
          space.geometry().file(),
          BTreeNode.STRUCTURE,
          address,
          "node is the child of two parents");
    }
  }

  /** Makes the child at {@code slot} less than full before an insertion descends into it. */
  void makeRoom(BTreeNode parent, long parentAddress, int slot, RecordKey key) {
    int full = shape.full(parent.depth() - 1);
    int roomy = full - Math.max(2, full / 4);
    if (slot > 0 && parent.childCount(slot - 1) <= roomy) {
      even(parent, parentAddress, slot - 1);
    } else if (slot < parent.count() && parent.childCount(slot + 1) <= roomy) {
      even(parent, parentAddress, slot);
    } else {
      split(parent, parentAddress, slot, key);
    }
  }

  /**
   * Splits the child at {@code slot} in two. Appending splits unevenly, so that trees filled in
   * order have well-filled nodes; the new right node still holds more records than a node about to
   * be merged.
   */
  void split(BTreeNode parent, long parentAddress, int slot, RecordKey key) {
    BTreeNode left = child(parent, slot);
    long leftAddress = parent.childAddress(slot);
    int count = left.count();
    int keep = count / 2;
    if (key.compareTo(left.records(), left.position(count - 1)) > 0) {
      keep = Math.max(keep, count - 2 - shape.low(left.depth()));
    }
    BTreeNode right = create(left.depth());
    long rightAddress = lastAddress;
    right.copyRecords(0, left, keep + 1, count - keep - 1);
    right.copyChildren(0, left, keep + 1, count - keep);
    right.count(count - keep - 1);
    parent.openChild(slot, left, keep);
    left.count(keep);
    parent.child(slot, leftAddress, left);
    parent.child(slot + 1, rightAddress, right);
    space.markDirty(leftAddress, left);
    space.markDirty(parentAddress, parent);
  }

  /** Distributes the records of the children at {@code slot} and {@code slot + 1} evenly. */
  void even(BTreeNode parent, long parentAddress, int slot) {
    BTreeNode left = child(parent, slot);
    BTreeNode right = child(parent, slot + 1);
    int target = (left.count() + right.count()) / 2;
    if (left.count() < target) {
      moveLeft(parent, slot, left, right, target - left.count());
    } else if (left.count() > target) {
      moveRight(parent, slot, left, right, left.count() - target);
    }
    long leftAddress = parent.childAddress(slot);
    long rightAddress = parent.childAddress(slot + 1);
    parent.child(slot, leftAddress, left);
    parent.child(slot + 1, rightAddress, right);
    space.markDirty(leftAddress, left);
    space.markDirty(rightAddress, right);
    space.markDirty(parentAddress, parent);
  }

  private static void moveLeft(
      BTreeNode parent, int slot, BTreeNode left, BTreeNode right, int moved) {
    int at = left.count();
    left.copyRecord(at, parent, slot);
    left.copyRecords(at + 1, right, 0, moved - 1);
    left.copyChildren(at + 1, right, 0, moved);
    parent.copyRecord(slot, right, moved - 1);
    right.copyRecords(0, right, moved, right.count() - moved);
    right.copyChildren(0, right, moved, right.count() - moved + 1);
    left.count(at + moved);
    right.count(right.count() - moved);
  }

  private static void moveRight(
      BTreeNode parent, int slot, BTreeNode left, BTreeNode right, int moved) {
    int keep = left.count() - moved;
    right.copyRecords(moved, right, 0, right.count());
    right.copyChildren(moved, right, 0, right.count() + 1);
    right.copyRecord(moved - 1, parent, slot);
    right.copyRecords(0, left, keep + 1, moved - 1);
    right.copyChildren(0, left, keep + 1, moved);
    parent.copyRecord(slot, left, keep);
    left.count(keep);
    right.count(right.count() + moved);
  }

  /**
   * Merges the child at {@code slot + 1} and the record between them into the child at {@code
   * slot}.
   */
  void merge(BTreeNode parent, long parentAddress, int slot) {
    BTreeNode left = child(parent, slot);
    BTreeNode right = child(parent, slot + 1);
    long leftAddress = parent.childAddress(slot);
    long rightAddress = parent.childAddress(slot + 1);
    int at = left.count();
    left.copyRecord(at, parent, slot);
    left.copyRecords(at + 1, right, 0, right.count());
    left.copyChildren(at + 1, right, 0, right.count() + 1);
    left.count(at + 1 + right.count());
    parent.closeChild(slot);
    parent.child(slot, leftAddress, left);
    release(rightAddress);
    space.markDirty(leftAddress, left);
    space.markDirty(parentAddress, parent);
  }

  /**
   * Brings the child at {@code slot} above the low mark before a removal descends into it, if its
   * neighbours permit that.
   */
  void refill(BTreeNode parent, long parentAddress, int slot) {
    int depth = parent.depth() - 1;
    int low = shape.low(depth);
    int left = slot > 0 ? parent.childCount(slot - 1) : -1;
    int right = slot < parent.count() ? parent.childCount(slot + 1) : -1;
    int neighbour = left >= right ? slot - 1 : slot;
    if (Math.max(left, right) >= low + 2) {
      even(parent, parentAddress, neighbour);
    } else if (Math.max(left, right) + parent.childCount(slot) < shape.capacity(depth)) {
      merge(parent, parentAddress, neighbour);
    }
  }
}
