package org.hyperslab.format.index.shared;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * An index of shared messages in list form: {@code "SMLI" | records | checksum | unused room for
 * more records}. The records are in no order; the master table holds their number.
 *
 * @param capacity the number of records that fit in the block
 */
record SharedList(SharedRecord.Codec codec, int capacity, List<SharedRecord> records)
    implements MetadataBlock {

  static final String STRUCTURE = "shared message list";
  private static final String SIGNATURE = "SMLI";

  static long encodedBytes(SharedRecord.Codec codec, int capacity) {
    return 8L + (long) capacity * codec.encodedSize();
  }

  static SharedList decode(
      MetadataReader reader, SharedRecord.Codec codec, int capacity, int count) {
    reader.signature(SIGNATURE);
    List<SharedRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(codec.decode(reader.bytes(codec.encodedSize()), 0));
    }
    reader.checksum();
    return new SharedList(codec, capacity, records);
  }

  @Override
  public long encodedSize() {
    return encodedBytes(codec, capacity);
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE);
    byte[] encoded = new byte[codec.encodedSize()];
    for (SharedRecord record : records) {
      codec.encode(record, encoded, 0);
      writer.bytes(encoded);
    }
    writer.checksumFrom(start).zerosTo(start + (int) encodedSize());
  }
}
