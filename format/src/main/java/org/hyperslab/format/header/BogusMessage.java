package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/** A message for testing the reference implementation, which contains 0xDEADBEEF. */
record BogusMessage() implements Message {

  private static final long VALUE = 0xDEADBEEFL;

  @Override
  public int typeCode() {
    return MessageType.BOGUS.code();
  }

  /** Decodes the payload. */
  public static BogusMessage decode(MetadataReader reader) {
    long value = reader.u32();
    if (value != VALUE) {
      throw reader.corrupt("value actual=0x" + Long.toHexString(value) + ", expected=0xdeadbeef");
    }
    return new BogusMessage();
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u32(VALUE);
  }
}
