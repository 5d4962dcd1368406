package org.hyperslab.format.index.chunk;

import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A node of a version 1 B-tree of chunks (node type 1).
 *
 * <pre>
 *   signature "TREE"        4
 *   node type 1             1
 *   level                   1    0 in a leaf, whose children are chunks
 *   entries used            2
 *   left sibling            size of offsets
 *   right sibling           size of offsets
 *   key 0, child 0, key 1, child 1, … child n−1, key n, and unused room up to 2K entries
 *
 *   key:  stored bytes      4
 *         filter mask       4
 *         element offsets   8 × (rank + 1), the last within an element: 0
 * </pre>
 *
 * <p>Key <i>i</i> is the chunk of child <i>i</i> or, above the leaves, the first chunk below child
 * <i>i</i>. Key <i>n</i> is greater than all chunks below: the right sibling's first key, or at the
 * right edge of the tree one more in every column than the greatest chunk ever inserted.
 *
 * <p>In memory the offsets are divided by the chunk dimensions. There is no checksum on disk.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section III.A.1 "Version 1 B-trees"; H5B.c,
 * H5Bcache.c, H5Dbtree.c.
 *
 * <p>Thread rule: edited by one thread while there are no readers; otherwise read in any number of
 * threads.
 */
final class ChunkBTreeNode implements MetadataBlock {

  static final String STRUCTURE = "version 1 B-tree node of chunks";
  private static final String SIGNATURE = "TREE";
  private static final int TYPE_CHUNKS = 1;

  private final ChunkBTreeShape shape;
  private final int columns;
  private final long[] keys;
  private final int[] storedBytes;
  private final int[] filterMasks;
  private final long[] children;
  private int level;
  private int count;
  private long left = FileGeometry.UNDEFINED;
  private long right = FileGeometry.UNDEFINED;

  /** Creates an empty node. */
  ChunkBTreeNode(ChunkBTreeShape shape, int level) {
    this.shape = shape;
    this.level = level;
    this.columns = shape.columns();
    keys = new long[(shape.capacity() + 1) * columns];
    storedBytes = new int[shape.capacity() + 1];
    filterMasks = new int[shape.capacity() + 1];
    children = new long[shape.capacity()];
  }

  /** Returns whether this node belongs to trees of a shape. */
  boolean isOf(ChunkBTreeShape wanted) {
    return shape == wanted || shape.isLike(wanted);
  }

  static ChunkBTreeNode decode(ChunkBTreeShape shape, MetadataReader reader) {
    reader.signature(SIGNATURE);
    reader.expectU8("node type", TYPE_CHUNKS);
    ChunkBTreeNode node = new ChunkBTreeNode(shape, reader.u8());
    node.count = reader.u16();
    if (node.count > shape.capacity()) {
      throw reader.corrupt(
          "entries actual=" + node.count + ", expected=at most " + shape.capacity());
    }
    node.left = reader.offset();
    node.right = reader.offset();
    for (int i = 0; i < node.count; i++) {
      node.decodeKey(reader, i);
      node.children[i] = reader.offset();
      if (!reader.geometry().isAddress(node.children[i])) {
        throw reader.corrupt("child address actual=" + Long.toUnsignedString(node.children[i]));
      }
      if (i > 0 && node.compareKeys(i - 1, i) >= 0) {
        throw reader.corrupt("key " + i + " actual=not above key " + (i - 1));
      }
    }
    if (node.count > 0) {
      node.decodeKey(reader, node.count);
    }
    return node;
  }

  private void decodeKey(MetadataReader reader, int i) {
    storedBytes[i] = reader.i32();
    filterMasks[i] = reader.i32();
    for (int c = 0; c < columns; c++) {
      long offset = reader.i64();
      if (offset < 0 || (offset % shape.unit()[c] != 0 && i < count)) {
        throw reader.corrupt(
            "chunk offset actual="
                + Long.toUnsignedString(offset)
                + ", expected=a multiple of "
                + shape.unit()[c]);
      }
      long whole = offset / shape.unit()[c];
      keys[i * columns + c] = offset % shape.unit()[c] == 0 ? whole : whole + 1;
    }
  }

  @Override
  public long encodedSize() {
    return shape.nodeBytes();
  }

  @Override
  public void encode(MetadataWriter writer) {
    int end = writer.position() + (int) encodedSize();
    writer.signature(SIGNATURE).u8(TYPE_CHUNKS).u8(level).u16(count).offset(left).offset(right);
    for (int i = 0; i < count; i++) {
      encodeKey(writer, i);
      writer.offset(children[i]);
    }
    encodeKey(writer, count);
    writer.zerosTo(end);
  }

  private void encodeKey(MetadataWriter writer, int i) {
    writer.u32(storedBytes[i]).u32(filterMasks[i]);
    for (int c = 0; c < columns; c++) {
      writer.i64(keys[i * columns + c] * shape.unit()[c]);
    }
  }

  int level() {
    return level;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == shape.capacity();
  }

  long child(int i) {
    return children[i];
  }

  long left() {
    return left;
  }

  long right() {
    return right;
  }

  void left(long address) {
    left = address;
  }

  void right(long address) {
    right = address;
  }

  /** Returns the location in entry {@code i} of a leaf. */
  ChunkLocation location(int i) {
    return new ChunkLocation(children[i], storedBytes[i] & 0xFFFF_FFFFL, filterMasks[i]);
  }

  /** Fills {@code scaled} from key {@code i}. */
  void coordinates(int i, long[] scaled) {
    System.arraycopy(keys, i * columns, scaled, 0, columns - 1);
  }

  /**
   * Returns the greatest entry whose key is not greater than {@code scaled}; −1 if there is none.
   */
  int floor(long[] scaled) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, scaled) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** Returns whether key {@code i} is the chunk at {@code scaled}. */
  boolean isAt(int i, long[] scaled) {
    return compare(i, scaled) == 0;
  }

  /** Compares key {@code i} with {@code scaled}: negative, zero or positive. */
  int compare(int i, long[] scaled) {
    int at = i * columns;
    for (int c = 0; c < columns - 1; c++) {
      int order = Long.compare(keys[at + c], scaled[c]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compareKeys(int a, int b) {
    for (int c = 0; c < columns - 1; c++) {
      int order = Long.compare(keys[a * columns + c], keys[b * columns + c]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Replaces the location in entry {@code i} of a leaf. */
  void replace(int i, ChunkLocation location) {
    children[i] = location.address();
    storedBytes[i] = (int) location.storedBytes();
    filterMasks[i] = location.filterMask();
  }

  /** Inserts a chunk as entry {@code i} of a leaf. */
  void insertChunk(int i, long[] scaled, ChunkLocation location) {
    open(i);
    System.arraycopy(scaled, 0, keys, i * columns, columns - 1);
    keys[i * columns + columns - 1] = 0;
    replace(i, location);
    raiseUpperKey(scaled);
  }

  /** Inserts a node as entry {@code i}, with its first key. */
  void insertNode(int i, ChunkBTreeNode node, long address) {
    open(i);
    children[i] = address;
    copyKey(node, 0, i);
  }

  private void open(int i) {
    System.arraycopy(children, i, children, i + 1, count - i);
    System.arraycopy(storedBytes, i, storedBytes, i + 1, count + 1 - i);
    System.arraycopy(filterMasks, i, filterMasks, i + 1, count + 1 - i);
    System.arraycopy(keys, i * columns, keys, (i + 1) * columns, (count + 1 - i) * columns);
    count++;
  }

  /**
   * Raises the last key to one more in every column, unless it is already greater than {@code
   * scaled}.
   *
   * @return whether it was changed
   */
  boolean raiseUpperKey(long[] scaled) {
    if (compare(count, scaled) > 0) {
      return false;
    }
    for (int c = 0; c < columns - 1; c++) {
      keys[count * columns + c] = scaled[c] + 1;
    }
    keys[count * columns + columns - 1] = 1;
    storedBytes[count] = 0;
    filterMasks[count] = 0;
    return true;
  }

  /** Removes entry {@code i} with its key; the last key stays. */
  void removeEntry(int i) {
    System.arraycopy(children, i + 1, children, i, count - 1 - i);
    System.arraycopy(storedBytes, i + 1, storedBytes, i, count - i);
    System.arraycopy(filterMasks, i + 1, filterMasks, i, count - i);
    System.arraycopy(keys, (i + 1) * columns, keys, i * columns, (count - i) * columns);
    count--;
  }

  /** Copies key {@code from} of {@code source} over key {@code to} of this node. */
  void copyKey(ChunkBTreeNode source, int from, int to) {
    System.arraycopy(source.keys, from * columns, keys, to * columns, columns);
    storedBytes[to] = source.storedBytes[from];
    filterMasks[to] = source.filterMasks[from];
  }

  /** Moves the entries from {@code first} on to {@code empty}, a node of the same level. */
  void moveTail(int first, ChunkBTreeNode empty) {
    int moved = count - first;
    System.arraycopy(children, first, empty.children, 0, moved);
    System.arraycopy(storedBytes, first, empty.storedBytes, 0, moved + 1);
    System.arraycopy(filterMasks, first, empty.filterMasks, 0, moved + 1);
    System.arraycopy(keys, first * columns, empty.keys, 0, (moved + 1) * columns);
    empty.count = moved;
    count = first;
  }

  /** Makes this an empty node of another level. */
  void clear(int newLevel) {
    level = newLevel;
    count = 0;
  }
}
