package org.hyperslab.plugins.nativevol.object;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.fractal.FractalHeap;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageCodec;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.shared.SharedMessages;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * The table of shared messages of one file, if it has one. Messages that are added are not shared,
 * which is always allowed; those that are removed are counted off.
 *
 * <p>Thread rule: as {@link FileObjects}.
 */
final class SharedHeap {

  private final NativeFile file;
  private final Optional<SharedMessages> table;

  SharedHeap(NativeFile file, Optional<SharedMessages> table) {
    this.file = file;
    this.table = table;
  }

  /**
   * The message that an id names.
   *
   * @param heapId the eight bytes of the fractal heap id, little-endian
   */
  Message find(int typeCode, long heapId) {
    SharedMessages messages =
        table.orElseThrow(() -> corrupt("table of shared messages actual=none, expected=one"));
    byte[] encoded = messages.get(typeCode, bytes(heapId));
    MetadataReader reader =
        new MetadataReader(
            file.geometry(), "shared message", encoded, CorruptFileException.NO_OFFSET);
    return MessageCodec.decode(typeCode, 0, reader);
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        file.name(), "shared message", CorruptFileException.NO_OFFSET, problem);
  }

  private static byte[] bytes(long heapId) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(heapId).array();
  }

  /** The table, if the file has one. */
  Optional<SharedMessages> table() {
    return table;
  }

  /** The heap that attributes may be shared in. */
  Optional<FractalHeap> attributes() {
    return table.flatMap(messages -> messages.heap(MessageType.ATTRIBUTE.code()));
  }

  /** Counts one user of a header's message less, if the message is shared or indexed. */
  void release(HeaderMessage message) {
    if (table.isEmpty() || message.type().filter(MessageType::sharable).isEmpty()) {
      return;
    }
    if (!message.isShared()) {
      table.get().releaseInHeader(message.typeCode(), message.payload().toByteArray());
    } else if (message.message() instanceof SharedMessage shared
        && shared.pointer() instanceof SharedPointer.InHeap heap) {
      table.get().release(message.typeCode(), bytes(heap.heapId()));
    }
  }
}
