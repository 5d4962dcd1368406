package org.hyperslab.format.index.btree;

import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A leaf or an internal node of a version 2 B-tree: encoded records in one array and, in internal
 * nodes, child pointers in parallel arrays.
 *
 * <pre>
 *   leaf:     "BTLF" | version 0 | type | records | checksum | unused up to the node size
 *   internal: "BTIN" | version 0 | type | records | count+1 child pointers | checksum | unused
 *   pointer:  address O | records in child | records in child's subtree (not above leaves)
 * </pre>
 *
 * <p>A node does not store its number of records; its parent does.
 */
final class BTreeNode implements MetadataBlock {

  static final String STRUCTURE = "version 2 B-tree node";
  private static final int VERSION = 0;

  private final BTreeShape shape;
  private final int depth;
  private int count;

  /**
   * The array of {@code capacity} records of {@code recordBytes} each, the first {@code count} of
   * them valid.
   */
  private final byte[] records;

  /** The addresses of {@code count + 1} children; null in a leaf. */
  private final long[] addresses;

  /** The number of records in each child node; null in a leaf. */
  private final int[] counts;

  /** The number of records in each child's subtree; null in a leaf. */
  private final long[] totals;

  BTreeNode(BTreeShape shape, int depth) {
    this.shape = shape;
    this.depth = depth;
    int capacity = shape.capacity(depth);
    this.records = new byte[capacity * shape.recordBytes()];
    this.addresses = depth == 0 ? null : new long[capacity + 1];
    this.counts = depth == 0 ? null : new int[capacity + 1];
    this.totals = depth == 0 ? null : new long[capacity + 1];
  }

  static BTreeNode decode(
      MetadataReader reader, BTreeShape shape, int depth, int count, long total) {
    if (count > shape.capacity(depth) || count < Math.min(depth, 1)) {
      throw reader.corrupt(
          "records in node actual="
              + count
              + ", expected="
              + Math.min(depth, 1)
              + ".."
              + shape.capacity(depth));
    }
    reader.signature(depth == 0 ? "BTLF" : "BTIN");
    reader.expectU8("version", VERSION);
    reader.expectU8("type", shape.type());
    BTreeNode node = new BTreeNode(shape, depth);
    node.count = count;
    byte[] encoded = reader.bytes(count * shape.recordBytes());
    System.arraycopy(encoded, 0, node.records, 0, encoded.length);
    if (depth > 0) {
      node.decodeChildren(reader);
    }
    if (node.total() != total) {
      throw reader.corrupt("records in subtree actual=" + node.total() + ", expected=" + total);
    }
    reader.checksum();
    return node;
  }

  private void decodeChildren(MetadataReader reader) {
    for (int i = 0; i <= count; i++) {
      addresses[i] = reader.offset();
      long inChild = reader.unsigned(shape.countBytes());
      int least = depth > 1 ? 1 : 0;
      if (inChild < least || inChild > shape.capacity(depth - 1)) {
        throw reader.corrupt(
            "records in child actual="
                + inChild
                + ", expected="
                + least
                + ".."
                + shape.capacity(depth - 1));
      }
      counts[i] = (int) inChild;
      totals[i] = depth == 1 ? inChild : reader.unsigned(shape.totalBytes(depth - 1));
      if (totals[i] < counts[i] || totals[i] > Long.MAX_VALUE / (shape.capacity(depth) + 2L)) {
        throw reader.corrupt("records in subtree of child actual=" + totals[i]);
      }
      if (addresses[i] == FileGeometry.UNDEFINED) {
        throw reader.corrupt("child " + i + " has no address");
      }
    }
  }

  @Override
  public long encodedSize() {
    return shape.nodeBytes();
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(depth == 0 ? "BTLF" : "BTIN").u8(VERSION).u8(shape.type());
    writer.bytes(records, 0, count * shape.recordBytes());
    if (depth > 0) {
      for (int i = 0; i <= count; i++) {
        writer.offset(addresses[i]).unsigned(counts[i], shape.countBytes());
        if (depth > 1) {
          writer.unsigned(totals[i], shape.totalBytes(depth - 1));
        }
      }
    }
    writer.checksumFrom(start).zerosTo(start + shape.nodeBytes());
  }

  int depth() {
    return depth;
  }

  int count() {
    return count;
  }

  BTreeShape shape() {
    return shape;
  }

  /** Returns the number of records in this node and below. */
  long total() {
    long sum = count;
    if (depth > 0) {
      for (int i = 0; i <= count; i++) {
        sum += totals[i];
      }
    }
    return sum;
  }

  /** Returns the array of encoded records; record {@code i} begins at {@link #position(int)}. */
  byte[] records() {
    return records;
  }

  int position(int index) {
    return index * shape.recordBytes();
  }

  long childAddress(int index) {
    return addresses[index];
  }

  int childCount(int index) {
    return counts[index];
  }

  long childTotal(int index) {
    return totals[index];
  }

  void childTotal(int index, long total) {
    totals[index] = total;
  }

  void childCount(int index, int records) {
    counts[index] = records;
  }

  void child(int index, long address, BTreeNode child) {
    addresses[index] = address;
    counts[index] = child.count;
    totals[index] = child.total();
  }

  /**
   * Returns the index of the record equal to the key, or {@code -(index of the first greater) - 1}.
   */
  int locate(RecordKey key) {
    int low = 0;
    int high = count - 1;
    int stride = shape.recordBytes();
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = key.compareTo(records, middle * stride);
      if (order > 0) {
        low = middle + 1;
      } else if (order < 0) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -low - 1;
  }

  private void requireRoom(int records) {
    if (records > shape.capacity(depth)) {
      throw claimedTwice(records);
    }
  }

  /**
   * Returns the error for a node whose parents disagree about it: edits rely on the parent's
   * counts, which are wrong if two parents claim one node.
   */
  private CorruptFileException claimedTwice(int records) {
    return new CorruptFileException(
        shape.geometry().file(),
        STRUCTURE,
        CorruptFileException.NO_OFFSET,
        "records actual="
            + records
            + ", expected=0.."
            + shape.capacity(depth)
            + ": the node is the child of two parents");
  }

  /** Opens a gap for one record at {@code index}; the caller fills it. */
  void openRecord(int index) {
    requireRoom(count + 1);
    int stride = shape.recordBytes();
    System.arraycopy(
        records, index * stride, records, (index + 1) * stride, (count - index) * stride);
    count++;
  }

  /** Closes the gap of the removed record at {@code index}. */
  void closeRecord(int index) {
    int stride = shape.recordBytes();
    System.arraycopy(
        records, (index + 1) * stride, records, index * stride, (count - index - 1) * stride);
    count--;
  }

  /** Inserts a record from another node at {@code index}, and a child to the right of it. */
  void openChild(int index, BTreeNode from, int fromIndex) {
    openRecord(index);
    copyRecord(index, from, fromIndex);
    int moved = count - 1 - index;
    System.arraycopy(addresses, index + 1, addresses, index + 2, moved);
    System.arraycopy(counts, index + 1, counts, index + 2, moved);
    System.arraycopy(totals, index + 1, totals, index + 2, moved);
  }

  /** Removes the record at {@code index} and the child to the right of it. */
  void closeChild(int index) {
    closeRecord(index);
    int moved = count - index;
    System.arraycopy(addresses, index + 2, addresses, index + 1, moved);
    System.arraycopy(counts, index + 2, counts, index + 1, moved);
    System.arraycopy(totals, index + 2, totals, index + 1, moved);
  }

  /** Overwrites record {@code index} by a record of another node. */
  void copyRecord(int index, BTreeNode from, int fromIndex) {
    int stride = shape.recordBytes();
    System.arraycopy(from.records, fromIndex * stride, records, index * stride, stride);
  }

  /** Copies {@code length} records of another node (or of this one) to {@code index}. */
  void copyRecords(int index, BTreeNode from, int fromIndex, int length) {
    requireRoom(index + length);
    from.requireRoom(fromIndex + length);
    if (length < 0 || fromIndex < 0) {
      throw claimedTwice(length);
    }
    int stride = shape.recordBytes();
    System.arraycopy(from.records, fromIndex * stride, records, index * stride, length * stride);
  }

  /** Copies {@code length} child pointers to {@code index}; has no effect in a leaf. */
  void copyChildren(int index, BTreeNode from, int fromIndex, int length) {
    if (depth > 0) {
      System.arraycopy(from.addresses, fromIndex, addresses, index, length);
      System.arraycopy(from.counts, fromIndex, counts, index, length);
      System.arraycopy(from.totals, fromIndex, totals, index, length);
    }
  }

  void count(int records) {
    this.count = records;
  }

  /** Returns a copy of record {@code index}. */
  byte[] recordBytes(int index) {
    int stride = shape.recordBytes();
    return Arrays.copyOfRange(records, index * stride, (index + 1) * stride);
  }
}
