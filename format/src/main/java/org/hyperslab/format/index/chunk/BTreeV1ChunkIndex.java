package org.hyperslab.format.index.chunk;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.array.BlockRelease;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The version 1 B-tree of chunks, for layout messages up to version 3: any extent, any number of
 * unlimited dimensions, stored sizes of 32 bits.
 *
 * <p>Nodes split as in H5B.c: at 90 % at the right edge of a level, 10 % at the left edge,
 * otherwise in half; the root keeps its address. Nodes are not merged; a node that loses its last
 * entry is removed. After every edit, key 0 of a node is its parent's key for it, and the last key
 * of a node is the first key of its right sibling. The C library relies on both when it inserts.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section III.A.1 "Version 1 B-trees"; H5B.c,
 * H5Dbtree.c.
 */
final class BTreeV1ChunkIndex extends RootedChunkIndex<ChunkIndexSpec.BTreeV1> {

  private static final int LARGEST_K = 32767;
  private static final int STORED_SIZE_BYTES = 4;

  /**
   * The greatest value of the level field, which has one byte. Only K = 1, where appending deepens
   * the tree, comes near it.
   */
  private static final int HIGHEST_LEVEL = 255;

  private final ChunkBTreeShape shape;
  private final BlockDecoder<ChunkBTreeNode> decoder;

  /**
   * The leaf found by the last lookup; a plain field, because any leaf that a reader sees is valid.
   */
  private Leaf recent;

  /** The inner nodes that lookups have passed; a plain field for the same reason. */
  private Inner top;

  /** A leaf in a holder that publishes it safely. */
  private record Leaf(ChunkBTreeNode node) {}

  /**
   * A node above the leaves, and those of its children that are above the leaves, as far as they
   * are known.
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Inner(ChunkBTreeNode node, Inner[] children) {
    static Inner of(ChunkBTreeNode node) {
      return new Inner(node, new Inner[innerChildren(node)]);
    }
  }

  BTreeV1ChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.BTreeV1 spec, long rootAddress) {
    super(space, grid, spec, rootAddress);
    if (spec.k() < 1
        || spec.k() > LARGEST_K
        || !ChunkChecks.plausible(space.geometry(), rootAddress)) {
      throw ChunkChecks.corrupt(
          space,
          ChunkBTreeNode.STRUCTURE,
          rootAddress,
          "K actual=" + spec.k() + ", expected=1.." + LARGEST_K);
    }
    shape = ChunkBTreeShape.of(space.geometry(), grid, spec.k());
    decoder = reader -> ChunkBTreeNode.decode(shape, reader);
  }

  private static int innerChildren(ChunkBTreeNode node) {
    return node.level() > 1 ? node.count() : 0;
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    ChunkChecks.coordinates(scaled, grid.rank());
    Leaf last = recent;
    if (last != null) {
      ChunkBTreeNode leaf = last.node;
      int i = leaf.floor(scaled);
      if (i >= 0 && leaf.isAt(i, scaled)) {
        return leaf.location(i);
      }
      if (i >= 0 && i < leaf.count() - 1) {
        return ChunkLocation.NONE;
      }
    }
    return root == FileGeometry.UNDEFINED ? ChunkLocation.NONE : descend(scaled);
  }

  private ChunkLocation descend(long[] scaled) {
    Inner inner = top;
    if (inner == null) {
      ChunkBTreeNode rootNode = node(root);
      if (rootNode.level() > 0) {
        inner = Inner.of(rootNode);
        top = inner;
      }
    }
    ChunkBTreeNode node = inner == null ? node(root) : leafFor(scaled, inner);
    int i = node == null ? -1 : node.floor(scaled);
    if (i < 0) {
      return ChunkLocation.NONE;
    }
    recent = new Leaf(node);
    return node.isAt(i, scaled) ? node.location(i) : ChunkLocation.NONE;
  }

  /**
   * Returns the leaf that contains a chunk or would contain it, or null if the chunk precedes all
   * others.
   */
  private ChunkBTreeNode leafFor(long[] scaled, Inner from) {
    Inner at = from;
    int i = at.node.floor(scaled);
    while (i >= 0 && at.node.level() > 1) {
      if (i >= at.children.length) {
        throw corrupt(root, at.node, at.node.level());
      }
      Inner next = at.children[i];
      if (next == null) {
        next = Inner.of(child(at.node, i));
        at.children[i] = next;
      }
      at = next;
      i = at.node.floor(scaled);
    }
    return i < 0 ? null : child(at.node, i);
  }

  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    ChunkChecks.coordinates(scaled, grid);
    ChunkChecks.location(location, grid);
    ChunkChecks.fits(location.storedBytes(), STORED_SIZE_BYTES);
    boolean changed = create();
    recent = null;
    BTreeV1Path path = path(scaled);
    int depth = path.depth();
    ChunkBTreeNode leaf = path.node(depth);
    int i = leaf.floor(scaled);
    if (i >= 0 && leaf.isAt(i, scaled)) {
      leaf.replace(i, location);
      space.markDirty(path.address(depth), leaf);
      if (i == 0) {
        lowerKeyChanged(path, depth);
      }
      return changed;
    }
    insertChunk(path, i, scaled, location);
    return changed;
  }

  /** Inserts a chunk after entry {@code i} of the leaf at the end of {@code path}. */
  private void insertChunk(BTreeV1Path path, int i, long[] scaled, ChunkLocation location) {
    int depth = path.depth();
    if (depth == HIGHEST_LEVEL && path.node(0).isFull()) {
      throw new UnsupportedFeatureException(
          "levels of the chunk B-tree: actual="
              + depth
              + ", expected=below "
              + HIGHEST_LEVEL
              + ", at="
              + space.geometry().file()
              + "; create the file with a larger K");
    }
    Split split = splitIfFull(path, depth, i);
    ChunkBTreeNode target = split == null ? path.node(depth) : split.target(path.node(depth), i);
    int at = split == null ? i : split.entry(i);
    target.insertChunk(at + 1, scaled, location);
    space.markDirty(path.address(depth), path.node(depth));
    raiseUpperKeys(path, scaled);
    if (at < 0) {
      lowerKeyChanged(path, depth);
    }
    if (split != null) {
      insertNode(path, depth - 1, split);
    }
  }

  /**
   * Inserts a new right half into the parent at {@code level} of the path, which may split in turn.
   */
  private void insertNode(BTreeV1Path path, int position, Split below) {
    if (position < 0) {
      growRoot(path, below);
      return;
    }
    int i = path.entry(position);
    Split split = splitIfFull(path, position, i);
    ChunkBTreeNode node = path.node(position);
    ChunkBTreeNode target = split == null ? node : split.target(node, i);
    int at = split == null ? i : split.entry(i);
    target.insertNode(at + 1, below.right, below.rightAddress);
    space.markDirty(path.address(position), node);
    if (split != null) {
      insertNode(path, position - 1, split);
    }
  }

  /** The right half of a split node, and the number of entries that the left half kept. */
  private record Split(ChunkBTreeNode right, long rightAddress, int kept) {

    ChunkBTreeNode target(ChunkBTreeNode left, int entry) {
      return entry < kept ? left : right;
    }

    int entry(int entry) {
      return entry < kept ? entry : entry - kept;
    }
  }

  /**
   * Splits a node that has no room for another entry.
   *
   * @param entry the entry after which one will be inserted; −1 for the front
   * @return the split; null if there is room
   */
  private Split splitIfFull(BTreeV1Path path, int position, int entry) {
    ChunkBTreeNode node = path.node(position);
    if (!node.isFull()) {
      return null;
    }
    top = null;
    int kept = keptBySplit(node, Math.max(entry, 0));
    ChunkBTreeNode rightNeighbour =
        node.right() == FileGeometry.UNDEFINED ? null : sibling(node, node.right());
    ChunkBTreeNode right = new ChunkBTreeNode(shape, node.level());
    long address = space.allocate(SpaceKind.INDEX, shape.nodeBytes());
    node.moveTail(kept, right);
    right.left(path.address(position));
    right.right(node.right());
    if (rightNeighbour != null) {
      rightNeighbour.left(address);
      space.markDirty(node.right(), rightNeighbour);
    }
    node.right(address);
    space.insert(address, right);
    space.markDirty(path.address(position), node);
    return new Split(right, address, kept);
  }

  /** Returns the number of entries that stay on the left; at least one stays on each side. */
  private int keptBySplit(ChunkBTreeNode node, int entry) {
    int capacity = shape.capacity();
    double ratio = 0.5;
    if (node.right() == FileGeometry.UNDEFINED) {
      ratio = 0.9;
    } else if (node.left() == FileGeometry.UNDEFINED) {
      ratio = 0.1;
    }
    int kept = (int) (capacity * ratio);
    if (entry < kept && kept == capacity) {
      kept--;
    } else if (entry >= kept && kept == 0) {
      kept++;
    }
    return Math.clamp(kept, 1, capacity - 1);
  }

  /** Moves a split root to a new place and creates the parent of both halves at its old place. */
  private void growRoot(BTreeV1Path path, Split split) {
    ChunkBTreeNode node = path.node(0);
    long address = space.allocate(SpaceKind.INDEX, shape.nodeBytes());
    ChunkBTreeNode leftHalf = new ChunkBTreeNode(shape, node.level());
    node.moveTail(0, leftHalf);
    leftHalf.right(split.rightAddress);
    space.insert(address, leftHalf);
    split.right.left(address);
    space.markDirty(split.rightAddress, split.right);
    node.clear(node.level() + 1);
    node.right(FileGeometry.UNDEFINED);
    node.insertNode(0, leftHalf, address);
    node.insertNode(1, split.right, split.rightAddress);
    node.copyKey(split.right, split.right.count(), 2);
    space.markDirty(root, node);
  }

  /** Raises the last keys of the nodes above a leaf so that they exceed the leaf's keys. */
  private void raiseUpperKeys(BTreeV1Path path, long[] scaled) {
    for (int p = path.depth() - 1; p >= 0; p--) {
      if (path.node(p).raiseUpperKey(scaled)) {
        space.markDirty(path.address(p), path.node(p));
      }
    }
  }

  /**
   * Copies a changed first key to the left sibling's last key, and continues upwards while it is a
   * first key there.
   */
  private void lowerKeyChanged(BTreeV1Path path, int position) {
    for (int p = position; p >= 0; p--) {
      ChunkBTreeNode node = path.node(p);
      if (node.left() != FileGeometry.UNDEFINED) {
        ChunkBTreeNode left = sibling(node, node.left());
        left.copyKey(node, 0, left.count());
        space.markDirty(node.left(), left);
      }
      if (p == 0) {
        return;
      }
      path.node(p - 1).copyKey(node, 0, path.entry(p - 1));
      space.markDirty(path.address(p - 1), path.node(p - 1));
      if (path.entry(p - 1) != 0) {
        return;
      }
    }
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    ChunkLocation was = find(scaled);
    if (!was.isAllocated()) {
      return was;
    }
    recent = null;
    BTreeV1Path path = path(scaled);
    int p = path.depth();
    int entry = path.node(p).floor(scaled);
    while (path.node(p).count() == 1 && p > 0) {
      takeOut(path, p);
      p--;
      entry = path.entry(p);
    }
    ChunkBTreeNode node = path.node(p);
    node.removeEntry(entry);
    if (node.count() == 0) {
      node.clear(0);
    }
    space.markDirty(path.address(p), node);
    if (entry == 0 && node.count() > 0) {
      lowerKeyChanged(path, p);
    }
    return was;
  }

  /** Removes a node that is losing its last entry from its level and frees it. */
  private void takeOut(BTreeV1Path path, int position) {
    top = null;
    ChunkBTreeNode node = path.node(position);
    if (node.left() != FileGeometry.UNDEFINED) {
      ChunkBTreeNode left = sibling(node, node.left());
      left.right(node.right());
      left.copyKey(node, node.count(), left.count());
      space.markDirty(node.left(), left);
    }
    if (node.right() != FileGeometry.UNDEFINED) {
      ChunkBTreeNode right = sibling(node, node.right());
      right.left(node.left());
      space.markDirty(node.right(), right);
    }
    space.discard(path.address(position));
    space.free(SpaceKind.INDEX, path.address(position), shape.nodeBytes());
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    if (root != FileGeometry.UNDEFINED) {
      new Walk(visitor).below(node(root), root);
    }
  }

  /** A pass over the leaves in order, which refuses structures that are not a valid tree. */
  private final class Walk {
    private final ChunkVisitor visitor;
    private final long[] scaled = new long[grid.rank()];
    private boolean started;

    Walk(ChunkVisitor visitor) {
      this.visitor = visitor;
    }

    /** Visits the nodes below a node; the depth is bounded, because levels descend strictly. */
    boolean below(ChunkBTreeNode node, long address) {
      for (int i = 0; i < node.count(); i++) {
        boolean more =
            node.level() > 0 ? below(child(node, i), node.child(i)) : chunk(node, i, address);
        if (!more) {
          return false;
        }
      }
      return true;
    }

    private boolean chunk(ChunkBTreeNode leaf, int i, long address) {
      if (started && leaf.compare(i, scaled) <= 0) {
        throw ChunkChecks.corrupt(
            space,
            ChunkBTreeNode.STRUCTURE,
            address,
            "key " + i + " actual=not above the previous key, expected=ascending keys");
      }
      started = true;
      leaf.coordinates(i, scaled);
      return visitor.visit(scaled, leaf.location(i));
    }
  }

  @Override
  public boolean create() {
    if (root != FileGeometry.UNDEFINED) {
      return false;
    }
    root = space.allocate(SpaceKind.INDEX, shape.nodeBytes());
    space.insert(root, new ChunkBTreeNode(shape, 0));
    return true;
  }

  @Override
  public void delete() {
    if (root == FileGeometry.UNDEFINED) {
      return;
    }
    recent = null;
    top = null;
    BlockRelease release = new BlockRelease(space, ChunkBTreeNode.STRUCTURE);
    for (long address : nodeAddresses()) {
      release.add(address, shape.nodeBytes());
    }
    release.run();
    root = FileGeometry.UNDEFINED;
  }

  @Override
  public long metadataBytes() {
    return root == FileGeometry.UNDEFINED ? 0 : nodeAddresses().size() * shape.nodeBytes();
  }

  /** Returns the addresses of all nodes; leaves are not read. */
  private Set<Long> nodeAddresses() {
    Set<Long> addresses = new LinkedHashSet<>();
    addresses.add(root);
    collect(node(root), addresses);
    return addresses;
  }

  private void collect(ChunkBTreeNode node, Set<Long> addresses) {
    if (node.level() == 0) {
      return;
    }
    for (int i = 0; i < node.count(); i++) {
      if (!addresses.add(node.child(i))) {
        throw ChunkChecks.corrupt(
            space,
            ChunkBTreeNode.STRUCTURE,
            node.child(i),
            "node actual=referenced twice, expected=once");
      }
      if (node.level() > 1) {
        collect(child(node, i), addresses);
      }
    }
  }

  /**
   * Returns the path to the leaf in which a chunk is or would be. Discards {@link #top} if the
   * space has decoded a node again meanwhile.
   */
  private BTreeV1Path path(long[] scaled) {
    ChunkBTreeNode node = node(root);
    BTreeV1Path path = new BTreeV1Path(node.level() + 1);
    path.add(root, node);
    Inner known = top;
    if (node.level() > 0 && node.count() == 0) {
      throw corrupt(root, node, node.level());
    }
    while (node.level() > 0) {
      int i = Math.max(0, node.floor(scaled));
      if (known != null) {
        boolean same = known.node == node && known.children.length == innerChildren(node);
        if (!same) {
          top = null;
        }
        known = same && node.level() > 1 ? known.children[i] : null;
      }
      path.entryOfLast(i);
      long address = node.child(i);
      node = child(node, i);
      path.add(address, node);
    }
    return path;
  }

  private ChunkBTreeNode node(long address) {
    ChunkBTreeNode node =
        space.load(
            address, shape.nodeBytes(), ChunkBTreeNode.STRUCTURE, ChunkBTreeNode.class, decoder);
    ChunkChecks.own(space, ChunkBTreeNode.STRUCTURE, address, node.isOf(shape));
    return node;
  }

  private ChunkBTreeNode child(ChunkBTreeNode parent, int i) {
    ChunkBTreeNode child = node(parent.child(i));
    if (child.level() != parent.level() - 1 || child.count() == 0) {
      throw corrupt(parent.child(i), child, parent.level() - 1);
    }
    return child;
  }

  private ChunkBTreeNode sibling(ChunkBTreeNode node, long address) {
    ChunkBTreeNode sibling = node(address);
    if (sibling.level() != node.level() || sibling == node || sibling.count() == 0) {
      throw corrupt(address, sibling, node.level());
    }
    return sibling;
  }

  private CorruptFileException corrupt(long address, ChunkBTreeNode node, int level) {
    return ChunkChecks.corrupt(
        space,
        ChunkBTreeNode.STRUCTURE,
        address,
        "node actual=level "
            + node.level()
            + " with "
            + node.count()
            + " entries, expected=level "
            + level
            + " with at least one, at its own position");
  }
}
