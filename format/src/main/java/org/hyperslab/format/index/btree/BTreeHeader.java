package org.hyperslab.format.index.btree;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The header block of a version 2 B-tree.
 *
 * <pre>
 *   "BTHD" | version 0 | type | node size u32 | record size u16 | depth u16 | split % | merge %
 *   root address O | records in root u16 | records in tree L | checksum u32
 * </pre>
 *
 * <p>Invariant: the root address is undefined if and only if the tree is empty.
 */
final class BTreeHeader implements MetadataBlock {

  static final String STRUCTURE = "version 2 B-tree header";
  private static final String SIGNATURE = "BTHD";
  private static final int VERSION = 0;
  private static final int FIXED_BYTES = 22;

  /**
   * The largest node size that is accepted; no writer uses larger nodes, and the limit bounds the
   * memory that a hostile header can cause to be allocated.
   */
  private static final long MAXIMUM_NODE_BYTES = 1L << 24;

  final BTreeShape shape;
  int depth;
  long rootAddress = FileGeometry.UNDEFINED;
  int rootCount;
  long total;

  BTreeHeader(BTreeShape shape) {
    this.shape = shape;
  }

  static int encodedBytes(FileGeometry geometry) {
    return FIXED_BYTES + geometry.sizeOfOffsets() + geometry.sizeOfLengths();
  }

  static BTreeHeader decode(MetadataReader reader) {
    reader.signature(SIGNATURE);
    reader.expectU8("version", VERSION);
    int type = reader.u8();
    long nodeBytes = reader.u32();
    int recordBytes = reader.u16();
    int depth = reader.u16();
    int splitPercent = reader.u8();
    int mergePercent = reader.u8();
    if (recordBytes == 0 || nodeBytes > MAXIMUM_NODE_BYTES || nodeBytes < 10L + recordBytes) {
      throw reader.corrupt(
          "node of " + nodeBytes + " bytes with records of " + recordBytes + " bytes");
    }
    if (splitPercent < 1 || splitPercent > 100 || mergePercent > 100) {
      throw reader.corrupt("split=" + splitPercent + "%, merge=" + mergePercent + "%");
    }
    BTreeHeader header =
        new BTreeHeader(
            new BTreeShape(
                reader.geometry(), type, recordBytes, (int) nodeBytes, splitPercent, mergePercent));
    header.depth = depth;
    header.rootAddress = reader.offset();
    header.rootCount = reader.u16();
    header.total = reader.length();
    header.check(reader);
    reader.checksum();
    return header;
  }

  private void check(MetadataReader reader) {
    if (depth >= shape.levels()) {
      throw reader.corrupt("depth actual=" + depth + ", expected=below " + shape.levels());
    }
    boolean empty = rootAddress == FileGeometry.UNDEFINED;
    if (total < 0 || empty != (total == 0) || (empty && depth != 0)) {
      throw reader.corrupt(
          "records actual=" + total + " at depth " + depth + ", root address " + rootAddress);
    }
    if (rootCount > shape.capacity(depth) || rootCount > total) {
      throw reader.corrupt(
          "records in root actual="
              + rootCount
              + ", expected=at most "
              + Math.min(total, shape.capacity(depth)));
    }
  }

  @Override
  public long encodedSize() {
    return encodedBytes(shape.geometry());
  }

  @Override
  public int publicationOrder() {
    return 4;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(VERSION).u8(shape.type());
    writer.u32(shape.nodeBytes()).u16(shape.recordBytes()).u16(depth);
    writer.u8(shape.splitPercent()).u8(shape.mergePercent());
    writer.offset(rootAddress).u16(rootCount).length(total).checksumFrom(start);
  }
}
