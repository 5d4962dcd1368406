package org.hyperslab.format.index.symbol;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A node of a group's version 1 B-tree.
 *
 * <pre>
 *   4  signature TREE
 *   1  node type, 0
 *   1  level; 0 for nodes whose children are symbol table nodes
 *   2  number of children n
 *   O  left sibling, O right sibling
 *      key 0, child 0, key 1, child 1, … child n-1, key n   (room for 2K children)
 * </pre>
 *
 * <p>A key is the offset of a name in the group's local heap, in a field with the size of lengths.
 * The names below child i are greater than key i and not greater than key i+1.
 *
 * <p>Source: HDF5 File Format Specification, III.A.1 "Version 1 B-trees"; reference {@code H5B.c}.
 */
final class TreeNode implements MetadataBlock {

  static final String STRUCTURE = "group B-tree node";

  private static final int TYPE_GROUP = 0;

  private final long sizeBytes;
  private int level;
  private final long[] keys;
  private final long[] children;
  private int count;

  /** The child that was searched last: a hint, which other threads may overwrite. */
  private int recent;

  private long left;
  private long right;

  TreeNode(FileGeometry geometry, GroupNodeSizes sizes, int level) {
    this.sizeBytes = sizes.treeNodeBytes(geometry);
    this.level = level;
    this.keys = new long[sizes.children() + 1];
    this.children = new long[sizes.children()];
    this.left = FileGeometry.UNDEFINED;
    this.right = FileGeometry.UNDEFINED;
  }

  static TreeNode decode(MetadataReader reader, GroupNodeSizes sizes) {
    reader.signature("TREE");
    reader.expectU8("node type", TYPE_GROUP);
    int level = reader.u8();
    int count = reader.u16();
    if (count > sizes.children()) {
      throw reader.corrupt("children actual=" + count + ", expected=0.." + sizes.children());
    }
    TreeNode node = new TreeNode(reader.geometry(), sizes, level);
    node.left = reader.offset();
    node.right = reader.offset();
    for (int i = 0; i < count; i++) {
      node.keys[i] = reader.length();
      node.children[i] = reader.offset();
    }
    if (count > 0) {
      node.keys[count] = reader.length();
    }
    node.count = count;
    return node;
  }

  @Override
  public long encodedSize() {
    return sizeBytes;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature("TREE").u8(TYPE_GROUP).u8(level).u16(count).offset(left).offset(right);
    for (int i = 0; i < count; i++) {
      writer.length(keys[i]).offset(children[i]);
    }
    if (count > 0) {
      writer.length(keys[count]);
    }
    writer.zerosTo(start + (int) sizeBytes);
  }

  int level() {
    return level;
  }

  /** Makes this an empty node of another level. */
  void become(int newLevel) {
    level = newLevel;
    count = 0;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == children.length;
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

  long key(int index) {
    return keys[index];
  }

  void key(int index, long nameOffset) {
    keys[index] = nameOffset;
  }

  long child(int index) {
    return children[index];
  }

  /** Returns the child that {@link #recent(int)} was given last, perhaps by another thread. */
  int recent() {
    return Math.min(recent, count - 1);
  }

  void recent(int child) {
    recent = child;
  }

  /** Adds the first child, between two keys, to a node without children. */
  void start(long leftKey, long child, long rightKey) {
    keys[0] = leftKey;
    children[0] = child;
    keys[1] = rightKey;
    count = 1;
  }

  /** Inserts a child after the child at {@code index}, whose new bound is {@code middleKey}. */
  void insertAfter(int index, long middleKey, long child) {
    System.arraycopy(keys, index + 1, keys, index + 2, count - index);
    System.arraycopy(children, index + 1, children, index + 2, count - index - 1);
    keys[index + 1] = middleKey;
    children[index + 1] = child;
    count++;
  }

  /** Removes a child; its left bound becomes that of its right neighbour. */
  void remove(int index) {
    System.arraycopy(keys, index + 2, keys, index + 1, count - index - 1);
    System.arraycopy(children, index + 1, children, index, count - index - 1);
    count--;
  }

  /** Moves the children from {@code from} on to an empty node of the same level. */
  void moveTail(int from, TreeNode target) {
    target.count = count - from;
    System.arraycopy(keys, from, target.keys, 0, target.count + 1);
    System.arraycopy(children, from, target.children, 0, target.count);
    count = from;
  }
}
