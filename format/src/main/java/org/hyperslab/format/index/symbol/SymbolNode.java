package org.hyperslab.format.index.symbol;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * A symbol table node: some entries of a group, in the order of their names.
 *
 * <pre>
 *   4  signature SNOD
 *   1  version, 1
 *   1  reserved
 *   2  number of entries
 *      2K entries, of which the first (number of entries) are used
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, III.B "Group Symbol Table Nodes".
 */
final class SymbolNode implements MetadataBlock {

  static final String STRUCTURE = "symbol table node";

  private final long sizeBytes;
  private final List<SymbolTableEntry> entries;

  SymbolNode(FileGeometry geometry, GroupNodeSizes sizes, List<SymbolTableEntry> entries) {
    this.sizeBytes = sizes.symbolNodeBytes(geometry);
    this.entries = entries;
  }

  static SymbolNode decode(MetadataReader reader, GroupNodeSizes sizes) {
    reader.signature("SNOD");
    reader.expectU8("version", 1);
    reader.skip(1);
    int count = reader.u16();
    if (count > sizes.entries()) {
      throw reader.corrupt("entries actual=" + count + ", expected=0.." + sizes.entries());
    }
    List<SymbolTableEntry> entries = new ArrayList<>(sizes.entries());
    for (int i = 0; i < count; i++) {
      entries.add(SymbolTableEntry.decode(reader));
    }
    return new SymbolNode(reader.geometry(), sizes, entries);
  }

  @Override
  public long encodedSize() {
    return sizeBytes;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature("SNOD").u8(1).u8(0).u16(entries.size());
    for (SymbolTableEntry entry : entries) {
      entry.encode(writer);
    }
    writer.zerosTo(start + (int) sizeBytes);
  }

  /** Returns the entries; edited by the group's tree under the write lock. */
  List<SymbolTableEntry> entries() {
    return entries;
  }
}
