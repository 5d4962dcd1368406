package org.hyperslab.format.index.shared;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * An index of shared messages, as an entry of the master table.
 *
 * <pre>
 *   version 0 | kind: 0 list, 1 B-tree | message types u16 | minimum bytes u32 | list maximum u16
 *   tree minimum u16 | messages u16 | index address O | heap address O
 * </pre>
 */
final class SharedIndex {

  private static final int VERSION = 0;

  final SharedIndexParameters parameters;
  boolean isTree;
  int messages;
  long indexAddress = FileGeometry.UNDEFINED;
  long heapAddress = FileGeometry.UNDEFINED;

  SharedIndex(SharedIndexParameters parameters) {
    this.parameters = parameters;
    this.isTree = parameters.listMaximum() == 0;
  }

  static int encodedBytes(FileGeometry geometry) {
    return 14 + 2 * geometry.sizeOfOffsets();
  }

  static SharedIndex decode(MetadataReader reader) {
    reader.expectU8("version", VERSION);
    int kind = reader.u8();
    if (kind > 1) {
      reader.position(reader.position() - 1);
      throw reader.corrupt("kind of index actual=" + kind + ", expected=0 or 1");
    }
    int types = reader.u16();
    long minimum = reader.u32();
    SharedIndex index =
        new SharedIndex(new SharedIndexParameters(types, minimum, reader.u16(), reader.u16()));
    index.isTree = kind == 1;
    index.messages = reader.u16();
    index.indexAddress = reader.offset();
    index.heapAddress = reader.offset();
    if (!index.isTree && index.messages > index.parameters.listMaximum()) {
      throw reader.corrupt(
          "messages in list actual="
              + index.messages
              + ", expected=at most "
              + index.parameters.listMaximum());
    }
    return index;
  }

  void encode(MetadataWriter writer) {
    writer.u8(VERSION).u8(isTree ? 1 : 0).u16(parameters.messageTypes());
    writer.u32(parameters.minimumBytes()).u16(parameters.listMaximum());
    writer.u16(parameters.treeMinimum()).u16(messages);
    writer.offset(indexAddress).offset(heapAddress);
  }

  boolean covers(int messageType) {
    return messageType < 16 && (parameters.messageTypes() & 1 << messageType) != 0;
  }
}
