package org.hyperslab.format.index.btree;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * A version 2 B-tree: fixed-size records in order, found by key or by rank, inserted and removed.
 *
 * <p>Edits maintain these invariants, which the C library expects of a tree that it edits: all
 * leaves have the same depth; a node other than the root is not empty and holds at least about the
 * merge percentage of its capacity; a parent's pointer records its child's record count and subtree
 * count exactly. Nodes are split and refilled on the way down, so one pass suffices.
 *
 * <p>Ranks are 0-based. An instance is a view without state other than the header's address: any
 * number of instances may exist for one tree.
 *
 * <p>Thread rule: reads in any number of threads; edits under the file's write lock. A visitor must
 * not edit the tree that it visits.
 *
 * <p>Source: HDF5 File Format Specification, III.A.2; H5B2*.c for split and merge policy.
 *
 * @param <R> the decoded record
 */
public final class BTreeV2<R> {

  private static final String STRUCTURE = "version 2 B-tree";

  /**
   * The least capacity of a node; with fewer records it cannot be split, balanced and merged
   * without becoming empty.
   */
  private static final int MIN_FULL = 4;

  private final MetadataSpace space;
  private final long address;
  private final RecordCodec<R> codec;
  private final BTreeNodes nodes;

  private BTreeV2(MetadataSpace space, long address, RecordCodec<R> codec, BTreeShape shape) {
    this.space = space;
    this.address = address;
    this.codec = codec;
    this.nodes = new BTreeNodes(space, shape);
  }

  /**
   * Creates an empty tree, whose header is allocated and inserted.
   *
   * @param <R> the type of the records
   * @param space the metadata of the file
   * @param codec encodes, decodes and compares records
   * @param parameters the creation parameters of the tree
   * @return the tree
   */
  public static <R> BTreeV2<R> create(
      MetadataSpace space, RecordCodec<R> codec, BTreeParameters parameters) {
    FileGeometry geometry = space.geometry();
    BTreeShape shape =
        new BTreeShape(
            geometry,
            codec.type(),
            codec.encodedSize(),
            parameters.nodeBytes(),
            parameters.splitPercent(),
            parameters.mergePercent());
    if (shape.full(0) < MIN_FULL || shape.levels() < 2 || shape.full(1) < MIN_FULL) {
      throw new UnsupportedFeatureException(
          "B-tree node: actual="
              + parameters.nodeBytes()
              + " bytes, expected=room for at least "
              + MIN_FULL
              + " records of "
              + codec.encodedSize()
              + " bytes, at="
              + geometry.file());
    }
    long address = space.allocate(SpaceKind.INDEX, BTreeHeader.encodedBytes(geometry));
    space.insert(address, new BTreeHeader(shape));
    return new BTreeV2<>(space, address, codec, shape);
  }

  /**
   * Opens the tree whose header is at {@code address}.
   *
   * @param <R> the type of the records
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @param codec encodes, decodes and compares records
   * @return the tree
   * @throws CorruptFileException if it is not a tree of this record type and size
   */
  public static <R> BTreeV2<R> open(MetadataSpace space, long address, RecordCodec<R> codec) {
    BTreeHeader header = loadHeader(space, address);
    BTreeShape shape = header.shape;
    if (shape.type() != codec.type() || shape.recordBytes() != codec.encodedSize()) {
      throw new CorruptFileException(
          space.geometry().file(),
          BTreeHeader.STRUCTURE,
          address,
          "record type actual="
              + shape.type()
              + " of "
              + shape.recordBytes()
              + " bytes, expected="
              + codec.type()
              + " of "
              + codec.encodedSize()
              + " bytes");
    }
    return new BTreeV2<>(space, address, codec, shape);
  }

  private static BTreeHeader loadHeader(MetadataSpace space, long address) {
    return space.load(
        address,
        BTreeHeader.encodedBytes(space.geometry()),
        BTreeHeader.STRUCTURE,
        BTreeHeader.class,
        BTreeHeader::decode);
  }

  private BTreeHeader header() {
    return loadHeader(space, address);
  }

  /** {@return the address of the header, which identifies the tree in the file} */
  public long address() {
    return address;
  }

  /** {@return the number of records in the tree} */
  public long size() {
    return header().total;
  }

  /**
   * {@return the size in the file of the header and all nodes, in bytes; leaves are counted without
   * being read}
   */
  public long metadataBytes() {
    BTreeHeader header = header();
    long count = header.total == 0 ? 0 : countNodes(root(header), new HashSet<>());
    return header.encodedSize() + count * nodes.shape().nodeBytes();
  }

  private long countNodes(BTreeNode node, Set<Long> seen) {
    long count = 1;
    for (int i = 0; node.depth() > 0 && i <= node.count(); i++) {
      nodes.requireNew(node.childAddress(i), seen);
      count += node.depth() == 1 ? 1 : countNodes(nodes.child(node, i), seen);
    }
    return count;
  }

  private BTreeNode root(BTreeHeader header) {
    return nodes.load(header.rootAddress, header.depth, header.rootCount, header.total);
  }

  /**
   * {@return the record equal to a key}
   *
   * @param key compares the sought record with those of the tree
   */
  public Optional<R> find(RecordKey key) {
    BTreeHeader header = header();
    if (header.total == 0) {
      return Optional.empty();
    }
    BTreeNode node = root(header);
    while (true) {
      int found = node.locate(key);
      if (found >= 0) {
        return Optional.of(codec.decode(node.records(), node.position(found)));
      }
      if (node.depth() == 0) {
        return Optional.empty();
      }
      node = nodes.child(node, -found - 1);
    }
  }

  /**
   * {@return the rank of the first record that is not less than the key; {@link #size()} if there
   * is none}
   *
   * @param key compares the sought record with those of the tree
   */
  public long lowerBound(RecordKey key) {
    BTreeHeader header = header();
    if (header.total == 0) {
      return 0;
    }
    BTreeNode node = root(header);
    long before = 0;
    while (true) {
      int found = node.locate(key);
      int slot = found >= 0 ? found : -found - 1;
      before += slot;
      if (node.depth() == 0) {
        return before;
      }
      for (int i = 0; i < slot; i++) {
        before += node.childTotal(i);
      }
      if (found >= 0) {
        return before + node.childTotal(slot);
      }
      node = nodes.child(node, slot);
    }
  }

  /**
   * {@return the record with a rank}
   *
   * @param rank the rank in the order of keys, counted from 0
   * @throws IndexOutOfBoundsException if the rank is not in 0..size()-1
   */
  public R get(long rank) {
    BTreeHeader header = header();
    if (rank < 0 || rank >= header.total) {
      throw new IndexOutOfBoundsException("rank=" + rank + ", records=" + header.total);
    }
    BTreeNode node = root(header);
    long left = rank;
    while (node.depth() > 0) {
      int slot = 0;
      while (slot < node.count() && left > node.childTotal(slot)) {
        left -= node.childTotal(slot) + 1;
        slot++;
      }
      if (slot < node.count() && left == node.childTotal(slot)) {
        return codec.decode(node.records(), node.position(slot));
      }
      node = nodes.child(node, slot);
    }
    return codec.decode(node.records(), node.position((int) left));
  }

  /**
   * Visits records in increasing order from a rank on, until the visitor stops or the end is
   * reached.
   *
   * @param fromRank the rank of the first record, counted from 0
   * @param visitor called for each record
   * @return whether the end was reached
   */
  public boolean forEach(long fromRank, RecordVisitor<R> visitor) {
    BTreeHeader header = header();
    if (fromRank >= header.total) {
      return true;
    }
    return new Walk<>(nodes, codec, visitor).up(root(header), Math.max(0, fromRank));
  }

  /**
   * Visits records in decreasing order from a rank down to 0, until the visitor stops.
   *
   * @param fromRank the rank of the first record visited; if it is too large, the last record is
   *     the first one visited
   * @param visitor called for each record
   * @return whether rank 0 was visited
   */
  public boolean forEachDescending(long fromRank, RecordVisitor<R> visitor) {
    BTreeHeader header = header();
    if (header.total == 0 || fromRank < 0) {
      return true;
    }
    long skipped = header.total - 1 - Math.min(fromRank, header.total - 1);
    return new Walk<>(nodes, codec, visitor).down(root(header), skipped);
  }

  /**
   * Inserts a record in the codec's own order.
   *
   * @param record the record
   * @return false, with nothing changed, if the tree contains an equal record
   */
  public boolean insert(R record) {
    return insert(record, (records, at) -> codec.compare(record, records, at));
  }

  /**
   * Inserts a record at the position of a key.
   *
   * @param record the record
   * @param key compares the sought record with those of the tree
   * @return false, with nothing changed, if the tree contains an equal record
   */
  public boolean insert(R record, RecordKey key) {
    BTreeHeader header = header();
    BTreeNode root;
    if (header.total == 0) {
      requireEditable(0);
      root = nodes.create(0);
      header.rootAddress = nodes.lastAddress();
    } else {
      requireEditable(header.depth + 1);
      root = root(header);
      if (root.count() >= nodes.shape().full(header.depth)) {
        root = growRoot(header, root, key);
      }
    }
    boolean inserted = insertInto(root, header.rootAddress, record, key);
    header.rootCount = root.count();
    if (inserted) {
      header.total++;
    }
    space.markDirty(address, header);
    return inserted;
  }

  private BTreeNode growRoot(BTreeHeader header, BTreeNode root, RecordKey key) {
    long rootAddress = header.rootAddress;
    BTreeNode grown = nodes.create(header.depth + 1);
    grown.child(0, rootAddress, root);
    header.rootAddress = nodes.lastAddress();
    header.depth++;
    nodes.split(grown, header.rootAddress, 0, key);
    return grown;
  }

  private boolean insertInto(BTreeNode node, long nodeAddress, R record, RecordKey key) {
    int slot = -node.locate(key) - 1;
    if (slot < 0) {
      return false;
    }
    if (node.depth() == 0) {
      node.openRecord(slot);
      codec.encode(record, node.records(), node.position(slot));
      space.markDirty(nodeAddress, node);
      return true;
    }
    if (node.childCount(slot) >= nodes.shape().full(node.depth() - 1)) {
      nodes.makeRoom(node, nodeAddress, slot, key);
      slot = -node.locate(key) - 1;
      if (slot < 0) {
        return false;
      }
    }
    BTreeNode child = nodes.child(node, slot);
    boolean inserted = insertInto(child, node.childAddress(slot), record, key);
    node.childCount(slot, child.count());
    if (inserted) {
      node.childTotal(slot, node.childTotal(slot) + 1);
    }
    space.markDirty(nodeAddress, node);
    return inserted;
  }

  /**
   * Replaces the record equal to a key by one with the same position in the order.
   *
   * @param key compares the sought record with those of the tree
   * @param replacement the new record
   * @return whether the tree contained such a record
   */
  public boolean replace(RecordKey key, R replacement) {
    BTreeHeader header = header();
    if (header.total == 0) {
      return false;
    }
    BTreeNode node = root(header);
    long nodeAddress = header.rootAddress;
    while (true) {
      int found = node.locate(key);
      if (found >= 0) {
        codec.encode(replacement, node.records(), node.position(found));
      }
      if (found >= 0 || space.movesEdited()) {
        space.markDirty(nodeAddress, node); // if a node moves, the nodes above it are edited too
      }
      if (found >= 0) {
        return true;
      }
      if (node.depth() == 0) {
        return false;
      }
      nodeAddress = node.childAddress(-found - 1);
      node = nodes.child(node, -found - 1);
    }
  }

  /**
   * Moves every node that was edited since the last flush to new space, so that readers of other
   * processes can continue to use the old nodes. Only the header is overwritten, which takes them
   * from one complete tree to the next. To be called before a flush.
   */
  public void moveEdited() {
    BTreeHeader header = header();
    if (header.total == 0) {
      return;
    }
    long moved = moved(root(header), header.rootAddress);
    if (moved != header.rootAddress) {
      header.rootAddress = moved;
      space.markDirty(address, header);
    }
  }

  /** Moves a node and the edited nodes below it, and returns its new address. */
  private long moved(BTreeNode node, long nodeAddress) {
    int bytes = nodes.shape().nodeBytes();
    if (!space.isEdited(nodeAddress, bytes)) {
      return nodeAddress;
    }
    for (int i = 0; node.depth() > 0 && i <= node.count(); i++) {
      long old = node.childAddress(i);
      if (space.isEdited(old, bytes)) {
        BTreeNode child = nodes.child(node, i);
        long now = moved(child, old);
        if (now != old) {
          node.child(i, now, child);
          space.markDirty(nodeAddress, node);
        }
      }
    }
    if (space.isNew(nodeAddress, bytes)) {
      return nodeAddress;
    }
    long now = space.allocate(SpaceKind.INDEX, bytes);
    nodes.release(nodeAddress);
    space.insert(now, node);
    return now;
  }

  /**
   * Removes the record equal to a key.
   *
   * @param key compares the sought record with those of the tree
   * @return the record, if the tree contained it
   */
  public Optional<R> remove(RecordKey key) {
    BTreeHeader header = header();
    if (header.total == 0) {
      return Optional.empty();
    }
    requireEditable(header.depth);
    BTreeNode root = root(header);
    byte[] removed = new BTreeRemoval(space, nodes).remove(root, header.rootAddress, key);
    if (removed != null) {
      header.total--;
    }
    header.rootCount = root.count();
    if (root.count() == 0) {
      dropRoot(header, root);
    }
    space.markDirty(address, header);
    return removed == null ? Optional.empty() : Optional.of(codec.decode(removed, 0));
  }

  /** Replaces a root without records by its only child, or removes it if the tree is empty. */
  private void dropRoot(BTreeHeader header, BTreeNode root) {
    long oldAddress = header.rootAddress;
    if (header.depth == 0) {
      header.rootAddress = FileGeometry.UNDEFINED;
    } else {
      header.rootAddress = root.childAddress(0);
      header.rootCount = root.childCount(0);
      header.depth--;
    }
    nodes.release(oldAddress);
  }

  /** Frees the space of the header and all nodes; the tree does not exist afterwards. */
  public void delete() {
    delete(record -> {});
  }

  /**
   * Deletes the tree like {@link #delete()}, passing every record to {@code last} before its node
   * is freed.
   *
   * @param last called for each record before it is deleted
   */
  public void delete(Consumer<? super R> last) {
    BTreeHeader header = header();
    if (header.total > 0) {
      deleteNode(root(header), header.rootAddress, last, new HashSet<>());
    }
    space.discard(address);
    space.free(SpaceKind.INDEX, address, header.encodedSize());
  }

  private void deleteNode(
      BTreeNode node, long nodeAddress, Consumer<? super R> last, Set<Long> seen) {
    nodes.requireNew(nodeAddress, seen);
    for (int i = 0; i <= node.count(); i++) {
      if (node.depth() > 0) {
        deleteNode(nodes.child(node, i), node.childAddress(i), last, seen);
      }
      if (i < node.count()) {
        last.accept(codec.decode(node.records(), node.position(i)));
      }
    }
    nodes.release(nodeAddress);
  }

  private void requireEditable(int depth) {
    BTreeShape shape = nodes.shape();
    if (depth >= shape.levels() || shape.full(depth) < MIN_FULL) {
      throw new UnsupportedFeatureException(
          STRUCTURE
              + ": actual=nodes of "
              + shape.nodeBytes()
              + " bytes split at "
              + shape.splitPercent()
              + "%, expected=room for "
              + MIN_FULL
              + " records at depth "
              + depth
              + " to edit, at="
              + space.geometry().file()
              + "@"
              + address);
    }
  }

  /** An ordered pass over the records. */
  private static final class Walk<R> {

    private final BTreeNodes nodes;
    private final RecordCodec<R> codec;
    private final RecordVisitor<R> visitor;
    private final Set<Long> seen = new HashSet<>();

    Walk(BTreeNodes nodes, RecordCodec<R> codec, RecordVisitor<R> visitor) {
      this.nodes = nodes;
      this.codec = codec;
      this.visitor = visitor;
    }

    /** Visits all records of a node's subtree except the first {@code skip}. */
    boolean up(BTreeNode node, long skip) {
      long left = skip;
      for (int i = 0; i <= node.count(); i++) {
        if (node.depth() > 0) {
          long below = node.childTotal(i);
          if (left < below) {
            nodes.requireNew(node.childAddress(i), seen);
            if (!up(nodes.child(node, i), left)) {
              return false;
            }
            left = 0;
          } else {
            left -= below;
          }
        }
        if (i < node.count() && --left < 0) {
          left = 0;
          if (!visitor.visit(codec.decode(node.records(), node.position(i)))) {
            return false;
          }
        }
      }
      return true;
    }

    /** Visits all records of a node's subtree in reverse order, except the last {@code skip}. */
    boolean down(BTreeNode node, long skip) {
      long left = skip;
      for (int i = node.count(); i >= 0; i--) {
        if (i < node.count() && --left < 0) {
          left = 0;
          if (!visitor.visit(codec.decode(node.records(), node.position(i)))) {
            return false;
          }
        }
        if (node.depth() > 0) {
          long below = node.childTotal(i);
          if (left < below) {
            nodes.requireNew(node.childAddress(i), seen);
            if (!down(nodes.child(node, i), left)) {
              return false;
            }
            left = 0;
          } else {
            left -= below;
          }
        }
      }
      return true;
    }
  }
}
