package org.hyperslab.format.index.btree;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * Checks a whole tree against the invariants of the specification and of the C library's editor.
 */
public final class BTreeChecker {

  private BTreeChecker() {}

  /** All records in order, having asserted counts, order, depth and fill. */
  public static <R> List<R> check(MetadataSpace space, long address, RecordCodec<R> codec) {
    BTreeHeader header =
        space.load(
            address,
            BTreeHeader.encodedBytes(space.geometry()),
            "header",
            BTreeHeader.class,
            BTreeHeader::decode);
    List<R> records = new ArrayList<>();
    if (header.total == 0) {
      require(header.depth == 0 && header.rootCount == 0, "empty tree with a root");
      return records;
    }
    BTreeNodes nodes = new BTreeNodes(space, header.shape);
    BTreeNode root = nodes.load(header.rootAddress, header.depth, header.rootCount, header.total);
    collect(nodes, root, true, codec, records);
    require(records.size() == header.total, "total " + header.total + ", found " + records.size());
    return records;
  }

  private static <R> void collect(
      BTreeNodes nodes, BTreeNode node, boolean isRoot, RecordCodec<R> codec, List<R> records) {
    BTreeShape shape = nodes.shape();
    require(node.count() <= shape.capacity(node.depth()), "overfull");
    int merge = shape.capacity(node.depth()) * shape.mergePercent() / 100;
    int least = isRoot ? 1 : Math.max(1, Math.min(merge, shape.low(node.depth())));
    require(
        node.count() >= least,
        "depth " + node.depth() + " holds " + node.count() + ", expected at least " + least);
    for (int i = 0; i <= node.count(); i++) {
      if (node.depth() > 0) {
        BTreeNode child = nodes.child(node, i);
        require(child.total() == node.childTotal(i), "subtree count");
        require(child.count() == node.childCount(i), "child count");
        collect(nodes, child, false, codec, records);
      }
      if (i < node.count()) {
        records.add(codec.decode(node.records(), node.position(i)));
      }
    }
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
