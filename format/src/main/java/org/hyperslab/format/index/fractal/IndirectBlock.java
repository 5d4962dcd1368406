package org.hyperslab.format.index.fractal;

import java.util.Arrays;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A table of child blocks: direct blocks in the first rows, indirect ones after them.
 *
 * <pre>
 *   "FHIB" | version 0 | heap header address O | block offset | entries row by row | checksum
 *   entry: address O [, in direct rows of filtered heaps: size L | filter mask u32]
 * </pre>
 */
final class IndirectBlock implements MetadataBlock {

  static final String STRUCTURE = "fractal heap indirect block";
  private static final String SIGNATURE = "FHIB";

  private final HeapLayout layout;
  private final long heapOffset;
  private final int rows;
  private final long[] addresses;
  private final long[] filteredBytes;
  private final int[] filterMasks;
  private int children;

  IndirectBlock(HeapLayout layout, long heapOffset, int rows) {
    this.layout = layout;
    this.heapOffset = heapOffset;
    this.rows = rows;
    int entries = rows * layout.table().width();
    this.addresses = new long[entries];
    Arrays.fill(addresses, FileGeometry.UNDEFINED);
    int filtered = layout.filtered() ? directEntries(layout, rows) : 0;
    this.filteredBytes = new long[filtered];
    this.filterMasks = new int[filtered];
  }

  private static int directEntries(HeapLayout layout, int rows) {
    return Math.min(rows, layout.table().directRows()) * layout.table().width();
  }

  static long encodedBytes(HeapLayout layout, int rows) {
    FileGeometry geometry = layout.geometry();
    long entries = (long) rows * layout.table().width();
    long size = 4L + 1 + geometry.sizeOfOffsets() + layout.offsetBytes() + 4;
    size += entries * geometry.sizeOfOffsets();
    if (layout.filtered()) {
      size += (long) directEntries(layout, rows) * (geometry.sizeOfLengths() + 4);
    }
    return size;
  }

  static IndirectBlock decode(MetadataReader reader, HeapLayout layout, long heapOffset, int rows) {
    layout.expectHead(reader, SIGNATURE, heapOffset);
    IndirectBlock block = new IndirectBlock(layout, heapOffset, rows);
    for (int i = 0; i < block.addresses.length; i++) {
      block.addresses[i] = reader.offset();
      if (block.addresses[i] != FileGeometry.UNDEFINED) {
        block.children++;
      }
      if (i < block.filteredBytes.length) {
        block.filteredBytes[i] = reader.length();
        block.filterMasks[i] = reader.i32();
      }
    }
    reader.checksum();
    return block;
  }

  @Override
  public long encodedSize() {
    return encodedBytes(layout, rows);
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    layout.writeHead(writer, SIGNATURE, heapOffset);
    for (int i = 0; i < addresses.length; i++) {
      writer.offset(addresses[i]);
      if (i < filteredBytes.length) {
        writer.length(filteredBytes[i]).u32(filterMasks[i]);
      }
    }
    writer.checksumFrom(start);
  }

  /** Returns a block of more rows with the same children. */
  IndirectBlock grown(int newRows) {
    IndirectBlock grown = new IndirectBlock(layout, heapOffset, newRows);
    System.arraycopy(addresses, 0, grown.addresses, 0, addresses.length);
    System.arraycopy(filteredBytes, 0, grown.filteredBytes, 0, filteredBytes.length);
    System.arraycopy(filterMasks, 0, grown.filterMasks, 0, filterMasks.length);
    grown.children = children;
    return grown;
  }

  HeapLayout layout() {
    return layout;
  }

  long heapOffset() {
    return heapOffset;
  }

  int rows() {
    return rows;
  }

  /** Returns the number of entries: rows times width. */
  int entries() {
    return addresses.length;
  }

  /** Returns the number of entries that have an address. */
  int children() {
    return children;
  }

  long address(int entry) {
    return addresses[entry];
  }

  void address(int entry, long address) {
    boolean had = addresses[entry] != FileGeometry.UNDEFINED;
    boolean has = address != FileGeometry.UNDEFINED;
    children += (has ? 1 : 0) - (had ? 1 : 0);
    addresses[entry] = address;
  }

  /** Returns the stored size of a direct child in bytes; meaningful in filtered heaps only. */
  long filteredBytes(int entry) {
    return filteredBytes[entry];
  }

  int filterMask(int entry) {
    return filterMasks[entry];
  }

  void filtered(int entry, long storedBytes, int mask) {
    if (layout.filtered()) {
      filteredBytes[entry] = storedBytes;
      filterMasks[entry] = mask;
    }
  }
}
