package org.hyperslab.format.index.shared;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The master table: {@code "SMTB" | indexes | checksum}. The number of indexes is stored elsewhere.
 */
record MasterTable(FileGeometry geometry, List<SharedIndex> indexes) implements MetadataBlock {

  static final String STRUCTURE = "shared message table";
  private static final String SIGNATURE = "SMTB";

  static int encodedBytes(FileGeometry geometry, int indexes) {
    return 4 + indexes * SharedIndex.encodedBytes(geometry) + 4;
  }

  static MasterTable decode(MetadataReader reader, int count) {
    reader.signature(SIGNATURE);
    List<SharedIndex> indexes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      indexes.add(SharedIndex.decode(reader));
    }
    reader.checksum();
    return new MasterTable(reader.geometry(), indexes);
  }

  @Override
  public long encodedSize() {
    return encodedBytes(geometry, indexes.size());
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE);
    indexes.forEach(index -> index.encode(writer));
    writer.checksumFrom(start);
  }
}
