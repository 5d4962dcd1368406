package org.hyperslab.format.freespace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The list of a manager's stored sections, grouped by size.
 *
 * <pre>
 *   "FSSE" | version 0 | header address O
 *   per size: count | size | count × (address | type u8 | extra)
 *   checksum
 * </pre>
 *
 * The count has the width that the number of stored sections requires; sizes and addresses have the
 * widths that the client's limits require.
 */
record FreeSectionList(
    FileGeometry geometry, FreeSpaceClient client, long headerAddress, List<FreeSection> sections)
    implements MetadataBlock {

  static final String STRUCTURE = "free-space section list";
  private static final String SIGNATURE = "FSSE";
  private static final int VERSION = 0;

  static FreeSectionList decode(MetadataReader reader, long headerAddress, FreeSpaceHeader header) {
    int checksummed = Math.toIntExact(header.listBytes()) - 4;
    FreeSpaceClient client = header.client();
    reader.signature(SIGNATURE);
    reader.expectU8("version", VERSION);
    long owner = reader.offset();
    if (owner != headerAddress) {
      throw reader.corrupt("header address actual=" + owner + ", expected=" + headerAddress);
    }
    int countBytes = FreeSpaceClient.encodedBytes(header.stored());
    List<FreeSection> sections = new ArrayList<>();
    while (sections.size() < header.stored()) {
      long count = reader.unsigned(countBytes);
      long size = reader.unsigned(client.lengthBytes());
      if (count <= 0 || count > header.stored() - sections.size() || size == 0) {
        throw reader.corrupt(
            count
                + " sections of "
                + size
                + " bytes, expected=at most "
                + (header.stored() - sections.size())
                + " of at least 1 byte");
      }
      for (long i = 0; i < count; i++) {
        sections.add(decodeSection(reader, client, size));
      }
    }
    if (reader.position() > checksummed) {
      throw reader.corrupt("sections end at " + reader.position() + ", expected=" + checksummed);
    }
    reader.position(checksummed);
    reader.checksum();
    return new FreeSectionList(reader.geometry(), client, headerAddress, List.copyOf(sections));
  }

  private static FreeSection decodeSection(
      MetadataReader reader, FreeSpaceClient client, long size) {
    long address = reader.unsigned(client.addressBytes());
    int type = reader.u8();
    if (type >= client.extraBytes().length) {
      throw reader.corrupt(
          "section class actual=" + type + ", expected=below " + client.extraBytes().length);
    }
    return new FreeSection(address, size, type, reader.bytes(client.extraBytes()[type]));
  }

  private Map<Long, List<FreeSection>> bySize() {
    Map<Long, List<FreeSection>> groups = new TreeMap<>(Long::compareUnsigned);
    for (FreeSection section : sections) {
      groups.computeIfAbsent(section.sizeBytes(), size -> new ArrayList<>()).add(section);
    }
    return groups;
  }

  @Override
  public long encodedSize() {
    long size = 4L + 1 + geometry.sizeOfOffsets() + 4;
    int countBytes = FreeSpaceClient.encodedBytes(sections.size());
    size += bySize().size() * ((long) countBytes + client.lengthBytes());
    for (FreeSection section : sections) {
      size += client.addressBytes() + 1L + client.extraBytes()[section.type()];
    }
    return size;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(VERSION).offset(headerAddress);
    int countBytes = FreeSpaceClient.encodedBytes(sections.size());
    for (Map.Entry<Long, List<FreeSection>> group : bySize().entrySet()) {
      writer.unsigned(group.getValue().size(), countBytes);
      writer.unsigned(group.getKey(), client.lengthBytes());
      for (FreeSection section : group.getValue()) {
        writer.unsigned(section.address(), client.addressBytes());
        writer.u8(section.type()).bytes(section.extra());
      }
    }
    writer.checksumFrom(start);
  }
}
