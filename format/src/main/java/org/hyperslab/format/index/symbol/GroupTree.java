package org.hyperslab.format.index.symbol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * The B-tree of one old-style group, which is searched by name. Nodes are split and removed as in
 * the reference implementation. The root never moves; when it is full, its content goes to a new
 * node below it. Nodes are not merged; a node without children is removed from the tree.
 *
 * <p>Depth is bounded because levels decrease by one at each step; traversals refuse to visit a
 * node twice.
 */
final class GroupTree {

  private final MetadataSpace space;
  private final LocalHeap heap;
  private final GroupNodeSizes sizes;
  private final long rootAddress;
  private final long nodeBytes;
  private final BlockDecoder<TreeNode> nodes;

  GroupTree(MetadataSpace space, LocalHeap heap, GroupNodeSizes sizes, long rootAddress) {
    this.space = space;
    this.heap = heap;
    this.sizes = sizes;
    this.rootAddress = rootAddress;
    this.nodeBytes = sizes.treeNodeBytes(space.geometry());
    this.nodes = reader -> TreeNode.decode(reader, sizes); // once for all nodes of a search
  }

  /** Creates a tree without entries and returns its root's address. */
  static long create(MetadataSpace space, GroupNodeSizes sizes) {
    TreeNode root = new TreeNode(space.geometry(), sizes, 0);
    long address = space.allocate(SpaceKind.INDEX, root.encodedSize());
    space.insert(address, root);
    return address;
  }

  /** A position in a tree: a node, its address, and the chosen child. */
  static final class Step {
    final TreeNode node;
    final long address;
    int child;

    Step(TreeNode node, long address, int child) {
      this.node = node;
      this.address = address;
      this.child = child;
    }
  }

  private TreeNode root() {
    return loadNode(rootAddress);
  }

  private TreeNode loadNode(long address) {
    return space.load(address, nodeBytes, TreeNode.STRUCTURE, TreeNode.class, nodes);
  }

  private TreeNode loadChild(Step parent) {
    long address = parent.node.child(parent.child);
    TreeNode node = loadNode(address);
    if (node.level() != parent.node.level() - 1) {
      throw corrupt(
          TreeNode.STRUCTURE,
          address,
          "level actual=" + node.level() + ", expected=" + (parent.node.level() - 1));
    }
    return node;
  }

  private SymbolNode loadSymbols(long address) {
    return space.load(
        address,
        sizes.symbolNodeBytes(space.geometry()),
        SymbolNode.STRUCTURE,
        SymbolNode.class,
        reader -> SymbolNode.decode(reader, sizes));
  }

  private CorruptFileException corrupt(String structure, long address, String problem) {
    return new CorruptFileException(space.geometry().file(), structure, address, problem);
  }

  // ---------------------------------------------------------------- searching

  /**
   * Returns the path to the symbol table node where a name is or would be: the first child at each
   * level whose right bound is not less than the name, or the last child.
   *
   * @return empty if the tree has no entries
   */
  private List<Step> descend(byte[] name) {
    List<Step> path = new ArrayList<>();
    TreeNode node = root();
    long address = rootAddress;
    while (node.count() > 0) {
      Step step = new Step(node, address, childFor(node, name));
      path.add(step);
      if (node.level() == 0) {
        return path;
      }
      node = loadChild(step);
      address = step.node.child(step.child);
    }
    if (!path.isEmpty()) {
      throw corrupt(TreeNode.STRUCTURE, address, "children actual=0, expected=at least 1");
    }
    return path;
  }

  private int childFor(TreeNode node, byte[] name) {
    int recent = node.recent(); // neighbouring names often follow each other
    if (isChildFor(node, recent, name)) {
      return recent;
    }
    int child = searchChild(node, name);
    node.recent(child);
    return child;
  }

  private boolean isChildFor(TreeNode node, int child, byte[] name) {
    return (child == 0 || heap.compare(node.key(child), name) < 0)
        && (child == node.count() - 1 || heap.compare(node.key(child + 1), name) >= 0);
  }

  private int searchChild(TreeNode node, byte[] name) {
    int low = 0;
    int high = node.count() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (heap.compare(node.key(middle + 1), name) >= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns the index of a name in a node, or -1 - the index where it would be inserted. */
  private int search(SymbolNode node, byte[] name) {
    int low = 0;
    int high = node.entries().size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = heap.compare(node.entries().get(middle).nameOffset(), name);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** The position of an entry. */
  record Place(List<Step> path, long address, SymbolNode node, int index) {

    boolean found() {
      return index >= 0;
    }

    SymbolTableEntry entry() {
      return node.entries().get(index);
    }
  }

  /** Returns the position of a name, valid until the tree is edited. */
  Place place(byte[] name) {
    List<Step> path = descend(name);
    if (path.isEmpty()) {
      return new Place(path, FileGeometry.UNDEFINED, null, -1);
    }
    Step leaf = path.getLast();
    long address = leaf.node.child(leaf.child);
    SymbolNode node = loadSymbols(address);
    return new Place(path, address, node, search(node, name));
  }

  /** Returns the entry of the given name, or null. */
  SymbolTableEntry find(byte[] name) {
    Place place = place(name);
    return place.found() ? place.entry() : null;
  }

  // ---------------------------------------------------------------- walking

  /** Receives entries in the order of their names until it stops the walk. */
  interface Visitor {

    /** Visits an entry; returns whether the walk continues. */
    boolean visit(SymbolTableEntry entry);
  }

  /**
   * Visits the entries whose names are greater than {@code after}, or all entries if it is null.
   */
  void walk(byte[] after, Visitor visitor) {
    TreeNode root = root();
    if (root.count() == 0) {
      return;
    }
    List<Step> path = new ArrayList<>();
    path.add(new Step(root, rootAddress, after == null ? 0 : childFor(root, after)));
    Set<Long> seen = new HashSet<>();
    seen.add(rootAddress);
    boolean first = after != null;
    while (!path.isEmpty()) {
      Step step = path.getLast();
      if (step.child == step.node.count()) {
        path.removeLast();
        if (!path.isEmpty()) {
          path.getLast().child++;
        }
        continue;
      }
      long address = step.node.child(step.child);
      if (!seen.add(address)) {
        throw corrupt(TreeNode.STRUCTURE, step.address, "child actual=" + address + " twice");
      }
      if (step.node.level() > 0) {
        TreeNode node = loadChild(step);
        path.add(new Step(node, address, first && node.count() > 0 ? childFor(node, after) : 0));
        continue;
      }
      if (!visitSymbols(loadSymbols(address), first ? after : null, visitor)) {
        return;
      }
      first = false;
      step.child++;
    }
  }

  private boolean visitSymbols(SymbolNode node, byte[] after, Visitor visitor) {
    int from = 0;
    if (after != null) {
      int at = search(node, after);
      from = at >= 0 ? at + 1 : -1 - at;
    }
    List<SymbolTableEntry> entries = node.entries();
    for (int i = from; i < entries.size(); i++) {
      if (!visitor.visit(entries.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of entries. */
  long count() {
    long[] total = new long[1];
    forEachNode((_, node) -> total[0] += node.entries().size(), (_, _) -> {});
    return total[0];
  }

  /** Receives a block and its address. */
  interface BlockVisitor<B> {

    /** Called once for each block. */
    void visit(long address, B block);
  }

  /** Visits every block; a tree node is visited after the blocks below it. */
  void forEachNode(BlockVisitor<SymbolNode> symbols, BlockVisitor<TreeNode> nodes) {
    List<Step> path = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    path.add(new Step(root(), rootAddress, 0));
    seen.add(rootAddress);
    while (!path.isEmpty()) {
      Step step = path.getLast();
      if (step.child == step.node.count()) {
        path.removeLast();
        nodes.visit(step.address, step.node);
        continue;
      }
      long address = step.node.child(step.child);
      if (!seen.add(address)) {
        throw corrupt(TreeNode.STRUCTURE, step.address, "child actual=" + address + " twice");
      }
      if (step.node.level() > 0) {
        path.add(new Step(loadChild(step), address, 0));
      } else {
        symbols.visit(address, loadSymbols(address));
      }
      step.child++;
    }
  }

  // ---------------------------------------------------------------- inserting

  /**
   * Inserts an entry, which is created only if it is needed.
   *
   * @param place the position of the name in the tree as it is
   * @return false, with nothing changed, if the name is in use
   */
  boolean insert(Place place, byte[] name, Function<byte[], SymbolTableEntry> maker) {
    if (place.found()) {
      return false;
    }
    SymbolTableEntry entry = maker.apply(name);
    if (place.path.isEmpty()) {
      List<SymbolTableEntry> entries = new ArrayList<>(sizes.entries());
      entries.add(entry);
      TreeNode root = root();
      root.become(0);
      root.start(0, insertSymbols(entries), entry.nameOffset());
      space.markDirty(rootAddress, root);
      return true;
    }
    insertAt(place, name, entry);
    return true;
  }

  private long insertSymbols(List<SymbolTableEntry> entries) {
    SymbolNode node = new SymbolNode(space.geometry(), sizes, entries);
    long address = space.allocate(SpaceKind.INDEX, node.encodedSize());
    space.insert(address, node);
    return address;
  }

  private void insertAt(Place place, byte[] name, SymbolTableEntry entry) {
    int index = -1 - place.index;
    List<SymbolTableEntry> entries = place.node.entries();
    Step leaf = place.path.getLast();
    boolean greatest = index == entries.size();
    if (greatest && heap.compare(leaf.node.key(leaf.child + 1), name) < 0) {
      rightBound(place.path, place.path.size() - 1, leaf.child + 1, entry.nameOffset());
    }
    space.markDirty(place.address, place.node);
    if (entries.size() < sizes.entries()) {
      entries.add(index, entry);
      return;
    }
    boolean appending = greatest && isRightmost(place.path);
    int from = appending ? entries.size() : sizes.leafK();
    List<SymbolTableEntry> tail = entries.subList(from, entries.size());
    List<SymbolTableEntry> right = new ArrayList<>(sizes.entries());
    right.addAll(tail);
    tail.clear();
    if (index < from || (index == from && !appending)) {
      entries.add(index, entry);
    } else {
      right.add(index - from, entry);
    }
    long bound = entries.getLast().nameOffset();
    insertChild(place.path, bound, insertSymbols(right));
  }

  private static boolean isRightmost(List<Step> path) {
    for (Step step : path) {
      if (step.child != step.node.count() - 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets bound {@code index} of the node at {@code depth}. The bound is also set on the left edge
   * of the subtree to the right of it and, if it is the node's last, in the node above.
   */
  private void rightBound(List<Step> path, int depth, int index, long nameOffset) {
    int at = index;
    for (int i = depth; i >= 0; i--) {
      Step step = path.get(i);
      step.node.key(at, nameOffset);
      space.markDirty(step.address, step.node);
      if (at < step.node.count()) {
        leftEdge(step, at, nameOffset);
        return;
      }
      if (i > 0) {
        at = path.get(i - 1).child + 1;
      }
    }
  }

  private void leftEdge(Step parent, int child, long nameOffset) {
    Step step = new Step(parent.node, parent.address, child);
    while (step.node.level() > 0) {
      long address = step.node.child(step.child);
      TreeNode node = loadChild(step);
      if (node.count() == 0) {
        return;
      }
      node.key(0, nameOffset);
      space.markDirty(address, node);
      step = new Step(node, address, 0);
    }
  }

  /**
   * Inserts a child after the one chosen in the last step of a path, splitting nodes up to the
   * root.
   */
  private void insertChild(List<Step> path, long bound, long child) {
    long newBound = bound;
    long newChild = child;
    for (int depth = path.size() - 1; depth >= 0; depth--) {
      Step step = path.get(depth);
      space.markDirty(step.address, step.node);
      if (!step.node.isFull()) {
        step.node.insertAfter(step.child, newBound, newChild);
        return;
      }
      if (depth == 0) {
        pushDown(path);
        depth = 1;
        step = path.get(1);
      }
      TreeNode right = split(step, isRightmost(path.subList(0, depth + 1)));
      int kept = step.node.count();
      if (step.child < kept) {
        step.node.insertAfter(step.child, newBound, newChild);
      } else {
        right.insertAfter(step.child - kept, newBound, newChild);
      }
      newBound = right.key(0);
      newChild = step.node.right();
    }
  }

  /** Moves the root's content to a new node, which becomes the root's only child. */
  private void pushDown(List<Step> path) {
    Step root = path.getFirst();
    TreeNode below = new TreeNode(space.geometry(), sizes, root.node.level());
    root.node.moveTail(0, below);
    long address = space.allocate(SpaceKind.INDEX, below.encodedSize());
    space.insert(address, below);
    root.node.become(below.level() + 1);
    root.node.start(below.key(0), address, below.key(below.count()));
    path.add(1, new Step(below, address, root.child));
    root.child = 0;
  }

  private TreeNode split(Step step, boolean rightmost) {
    TreeNode node = step.node;
    int from = rightmost ? node.count() - Math.max(1, node.count() / 10) : node.count() / 2;
    TreeNode right = new TreeNode(space.geometry(), sizes, node.level());
    node.moveTail(from, right);
    long address = space.allocate(SpaceKind.INDEX, right.encodedSize());
    right.left(step.address);
    right.right(node.right());
    if (node.right() != FileGeometry.UNDEFINED) {
      TreeNode neighbour = loadNode(node.right());
      neighbour.left(address);
      space.markDirty(node.right(), neighbour);
    }
    node.right(address);
    space.insert(address, right);
    space.markDirty(step.address, node);
    return right;
  }

  /** Replaces an entry by another one of the same name. */
  boolean replace(byte[] name, SymbolTableEntry entry) {
    Place place = place(name);
    if (!place.found()) {
      return false;
    }
    place.node.entries().set(place.index, entry);
    space.markDirty(place.address, place.node);
    return true;
  }

  // ---------------------------------------------------------------- removing

  /** Removes an entry and returns it, or null if there is none; its name stays in the heap. */
  SymbolTableEntry remove(byte[] name) {
    Place place = place(name);
    if (!place.found()) {
      return null;
    }
    List<SymbolTableEntry> entries = place.node.entries();
    SymbolTableEntry removed = entries.remove(place.index);
    Step leaf = place.path.getLast();
    if (entries.isEmpty()) {
      space.discard(place.address);
      space.free(SpaceKind.INDEX, place.address, place.node.encodedSize());
      removeChild(place.path);
      return removed;
    }
    space.markDirty(place.address, place.node);
    if (place.index == entries.size()) {
      rightBound(place.path, place.path.size() - 1, leaf.child + 1, entries.getLast().nameOffset());
    }
    return removed;
  }

  /** Removes the child chosen in the last step from its node, and also nodes that become empty. */
  private void removeChild(List<Step> path) {
    for (int depth = path.size() - 1; depth >= 0; depth--) {
      Step step = path.get(depth);
      step.node.remove(step.child);
      space.markDirty(step.address, step.node);
      if (step.node.count() > 0) {
        rightBound(path, depth, step.child, step.node.key(step.child));
        return;
      }
      if (depth == 0) {
        step.node.become(0);
        return;
      }
      unlink(step);
    }
  }

  private void unlink(Step step) {
    TreeNode node = step.node;
    if (node.left() != FileGeometry.UNDEFINED) {
      TreeNode left = loadNode(node.left());
      left.right(node.right());
      space.markDirty(node.left(), left);
    }
    if (node.right() != FileGeometry.UNDEFINED) {
      TreeNode right = loadNode(node.right());
      right.left(node.left());
      space.markDirty(node.right(), right);
    }
    space.discard(step.address);
    space.free(SpaceKind.INDEX, step.address, node.encodedSize());
  }

  /** Frees every node. */
  void delete() {
    List<Runnable> frees = new ArrayList<>();
    forEachNode(
        (address, node) -> frees.add(() -> free(address, node.encodedSize())),
        (address, node) -> frees.add(() -> free(address, node.encodedSize())));
    frees.forEach(Runnable::run);
  }

  private void free(long address, long size) {
    space.discard(address);
    space.free(SpaceKind.INDEX, address, size);
  }
}
