package org.hyperslab.format.freespace;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The header of a free-space manager.
 *
 * <pre>
 *   "FSHD" | version 0 | client id | total space L | sections L | stored sections L | ghosts L
 *   classes u16 | shrink % u16 | expand % u16 | address bits u16 | largest section L
 *   list address O | list bytes used L | list bytes allocated L | checksum
 * </pre>
 *
 * @param totalBytes the sum of all section sizes
 * @param sections the number of sections of all kinds
 * @param stored the number of sections in the list
 * @param ghosts the number of sections that are derived from stored ones when loading
 * @param listAddress the address of the list of sections; undefined if there are none
 */
record FreeSpaceHeader(
    FreeSpaceClient client,
    int classes,
    long totalBytes,
    long sections,
    long stored,
    long ghosts,
    long listAddress,
    long listBytes,
    long allocatedBytes,
    FileGeometry geometry)
    implements MetadataBlock {

  static final String STRUCTURE = "free-space manager header";
  private static final String SIGNATURE = "FSHD";
  private static final int VERSION = 0;

  static int encodedBytes(FileGeometry geometry) {
    return 4 + 2 + 4 * 2 + geometry.sizeOfOffsets() + 7 * geometry.sizeOfLengths() + 4;
  }

  /**
   * Decodes a header that must belong to a client of this id; its class sizes are used for the
   * sections.
   */
  static FreeSpaceHeader decode(MetadataReader reader, int clientId, int[] extraBytes) {
    reader.signature(SIGNATURE);
    reader.expectU8("version", VERSION);
    reader.expectU8("client id", clientId);
    long total = reader.length();
    long sections = reader.length();
    long stored = reader.length();
    long ghosts = reader.length();
    int classes = reader.u16();
    int shrink = reader.u16();
    int expand = reader.u16();
    int bits = reader.u16();
    long largest = reader.length();
    if (bits < 1 || bits > 64) {
      throw reader.corrupt("address bits actual=" + bits + ", expected=1..64");
    }
    FreeSpaceClient client =
        new FreeSpaceClient(clientId, extraBytes, shrink, expand, bits, largest);
    long address = reader.offset();
    long used = reader.length();
    long allocated = reader.length();
    if (stored < 0
        || used < 0
        || allocated < used
        || (address == FileGeometry.UNDEFINED) != (stored == 0)) {
      throw reader.corrupt(
          "sections actual="
              + stored
              + " in "
              + used
              + " bytes of "
              + allocated
              + " at "
              + address);
    }
    reader.checksum();
    return new FreeSpaceHeader(
        client,
        classes,
        total,
        sections,
        stored,
        ghosts,
        address,
        used,
        allocated,
        reader.geometry());
  }

  @Override
  public long encodedSize() {
    return encodedBytes(geometry);
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(VERSION).u8(client.id());
    writer.length(totalBytes).length(sections).length(stored).length(ghosts);
    writer.u16(classes).u16(client.shrinkPercent()).u16(client.expandPercent());
    writer.u16(client.addressBits()).length(client.maximumSectionBytes());
    writer.offset(listAddress).length(listBytes).length(allocatedBytes).checksumFrom(start);
  }
}
