package org.hyperslab.format.index.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.SymbolTableMessage;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * The links of one old-style group: hard and soft links by name, in the order of their names'
 * bytes. Such groups have no creation order and no external links.
 *
 * <p>Thread rule: like blocks: edited by one thread under the file's write lock, read in any number
 * of threads between edits. Opened again for each operation; opening costs two look-ups.
 *
 * <p>Source: HDF5 File Format Specification, III.A to III.D; reference {@code H5Gstab.c}, {@code
 * H5Gnode.c}, {@code H5B.c}.
 */
public final class SymbolTable {

  private static final int MIN_HEAP_BYTES = 88;

  private final MetadataSpace space;
  private final SymbolTableMessage message;
  private final LocalHeap heap;
  private final GroupTree tree;

  /** The result of the last search for a free name; null after an edit. */
  private Sought sought;

  private record Sought(String name, byte[] encoded, GroupTree.Place place) {}

  private SymbolTable(
      MetadataSpace space, SymbolTableMessage message, LocalHeap heap, GroupNodeSizes sizes) {
    this.space = space;
    this.message = message;
    this.heap = heap;
    this.tree = new GroupTree(space, heap, sizes, message.btreeAddress());
  }

  /**
   * {@return the symbol table that a group's header refers to}
   *
   * @param space the metadata of the file
   * @param message the message with the addresses of B-tree and heap
   * @param sizes the sizes of nodes
   * @throws CorruptFileException if there is no local heap at its address
   */
  public static SymbolTable open(
      MetadataSpace space, SymbolTableMessage message, GroupNodeSizes sizes) {
    return new SymbolTable(space, message, LocalHeap.open(space, message.heapAddress()), sizes);
  }

  /**
   * Creates an empty symbol table.
   *
   * @param space the metadata of the file
   * @param sizes the sizes of nodes
   * @param expectedNameBytes the initial space for names and soft link paths in bytes
   * @return the table
   */
  public static SymbolTable create(
      MetadataSpace space, GroupNodeSizes sizes, int expectedNameBytes) {
    long root = GroupTree.create(space, sizes);
    LocalHeap heap = LocalHeap.create(space, Math.max(MIN_HEAP_BYTES, expectedNameBytes));
    return new SymbolTable(space, new SymbolTableMessage(root, heap.address()), heap, sizes);
  }

  /** {@return the message of the group's header that describes this table} */
  public SymbolTableMessage message() {
    return message;
  }

  /** {@return the cached information for links to this group} */
  public SymbolTableEntry.CachedGroup cache() {
    return new SymbolTableEntry.CachedGroup(message.btreeAddress(), message.heapAddress());
  }

  static byte[] utf8(String name) {
    return NameBytes.encode(name);
  }

  /**
   * {@return the entry of the given name}
   *
   * @param name the link's name
   */
  public Optional<SymbolTableEntry> find(String name) {
    return Optional.ofNullable(tree.find(utf8(name)));
  }

  /**
   * {@return the path that a soft link leads to, from the local heap}
   *
   * @param entry the entry of a soft link
   * @throws CorruptFileException if the path is not in the heap
   */
  public String softLinkPath(SymbolTableEntry entry) {
    if (entry.cache() instanceof SymbolTableEntry.SoftLink link) {
      return heap.text(link.valueOffset());
    }
    throw new CorruptFileException(
        space.geometry().file(),
        "symbol table entry",
        message.btreeAddress(),
        "cache type actual=" + entry.cache() + ", expected=soft link");
  }

  /**
   * {@return up to {@code limit} links whose names are greater than {@code after}, in the order of
   * their names; to continue, pass the name of the last one}
   *
   * @param after the name after which to start; empty for the first
   * @param limit the greatest number of links to return
   */
  public List<NamedEntry> list(Optional<String> after, int limit) {
    List<NamedEntry> page = new ArrayList<>();
    if (limit < 1) {
      return page;
    }
    tree.walk(
        after.map(SymbolTable::utf8).orElse(null),
        entry -> {
          page.add(new NamedEntry(heap.text(entry.nameOffset()), entry));
          return page.size() < limit;
        });
    return page;
  }

  /** {@return the number of links, for which every node is visited} */
  public long count() {
    return tree.count();
  }

  /** {@return whether there are no links} */
  public boolean isEmpty() {
    return list(Optional.empty(), 1).isEmpty();
  }

  /**
   * Adds a hard link.
   *
   * @param name the link's name
   * @param headerAddress the address of the object header
   * @param cache the cached information on the object: {@link SymbolTableEntry.CachedGroup} for an
   *     old-style group, otherwise {@link SymbolTableEntry.Nothing}
   * @throws AlreadyExistsException if the name is in use
   */
  public void insertHard(String name, long headerAddress, SymbolTableEntry.Cache cache) {
    insert(name, encoded -> new SymbolTableEntry(heap.insert(encoded), headerAddress, cache));
  }

  /**
   * Adds a soft link.
   *
   * @param name the link's name
   * @param path the path that the link holds
   * @throws AlreadyExistsException if the name is in use
   */
  public void insertSoft(String name, String path) {
    insert(
        name,
        encoded ->
            new SymbolTableEntry(
                heap.insert(encoded),
                FileGeometry.UNDEFINED,
                new SymbolTableEntry.SoftLink(heap.insert(path))));
  }

  /**
   * {@return whether no link has a name} If the next edit through this object inserts that name, it
   * does not search for its place again; nothing else may edit the table in between.
   *
   * @param name the name
   */
  public boolean isFree(String name) {
    byte[] encoded = utf8(name);
    sought = new Sought(name, encoded, tree.place(encoded));
    return !sought.place.found();
  }

  private void insert(String name, Function<byte[], SymbolTableEntry> maker) {
    Sought at = sought;
    sought = null;
    if (at == null || !at.name.equals(name)) {
      byte[] encoded = utf8(name);
      at = new Sought(name, encoded, tree.place(encoded));
    }
    if (!tree.insert(at.place, at.encoded, maker)) {
      throw exists(name);
    }
  }

  private AlreadyExistsException exists(String name) {
    return new AlreadyExistsException(
        "link: actual=exists, expected=no link with that name, at="
            + name
            + " in "
            + space.geometry().file());
  }

  /**
   * Removes a link, its name, and its path if it is a soft link. The caller handles the object that
   * a hard link leads to.
   *
   * @param name the link's name
   * @return the entry that was removed
   * @throws NotFoundException if no link has that name
   */
  public SymbolTableEntry remove(String name) {
    sought = null;
    SymbolTableEntry removed = tree.remove(utf8(name));
    if (removed == null) {
      throw missing(name);
    }
    if (removed.cache() instanceof SymbolTableEntry.SoftLink link) {
      heap.remove(link.valueOffset());
    }
    heap.remove(removed.nameOffset());
    return removed;
  }

  private NotFoundException missing(String name) {
    return new NotFoundException(
        "link: actual=none, expected=one, at=" + name + " in " + space.geometry().file());
  }

  /** {@return the size of the tree in the file in bytes, including symbol table nodes} */
  public long treeBytes() {
    long[] total = new long[1];
    tree.forEachNode(
        (_, node) -> total[0] += node.encodedSize(), (_, node) -> total[0] += node.encodedSize());
    return total[0];
  }

  /** {@return the size of the heap of names in the file in bytes} */
  public long heapBytes() {
    return heap.totalBytes();
  }

  /** Frees the tree and the heap. The caller handles the objects that links lead to. */
  public void delete() {
    tree.delete();
    heap.delete();
  }
}
