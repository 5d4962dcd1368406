package org.hyperslab.plugins.nativevol.header;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageCodec;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedMessageTableMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.index.fractal.FractalHeap;
import org.hyperslab.format.index.shared.SharedMessages;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Manages what object headers of one file share: committed types and, if the file has one, the
 * table of shared messages. Added messages are never put into the table, which the format permits;
 * for removed messages the table's reference counts are decremented.
 *
 * <p>An attribute's type and space are counted once for each stored message, not for each object
 * that shares it (as {@code H5O__attr_create} in {@code H5Oattribute.c} does).
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public final class SharedHeap {

  private final NativeFile file;
  private final Optional<SharedMessages> table;

  /**
   * Opens the table of a file.
   *
   * @param found the message that holds its address; empty if the file has no table
   */
  SharedHeap(NativeFile file, Optional<SharedMessageTableMessage> found) {
    this.file = file;
    this.table =
        found.map(message ->
            SharedMessages.open(
                file.metadata(),
                message.tableAddress(),
                message.indexCount(),
                new IndexedInHeaders(file.metadata())));
  }

  /**
   * Returns the message of an id.
   *
   * @param heapId the eight bytes of the fractal heap id, little-endian
   */
  Message find(int typeCode, long heapId) {
    return decode(typeCode, requireTable().get(typeCode, bytes(heapId)));
  }

  private SharedMessages requireTable() {
    return table.orElseThrow(() -> corrupt("table of shared messages actual=none, expected=one"));
  }

  private Message decode(int typeCode, byte[] encoded) {
    MetadataReader reader =
        new MetadataReader(
            file.geometry(), "shared message", encoded, CorruptFileException.NO_OFFSET);
    return MessageCodec.decode(typeCode, 0, reader);
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        file.name(), "shared message", CorruptFileException.NO_OFFSET, problem);
  }

  /**
   * {@return a heap id as eight bytes}
   *
   * @param heapId the number of the id in the heap of shared messages, see {@link #number}
   */
  public static byte[] bytes(long heapId) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(heapId).array();
  }

  /**
   * {@return the eight bytes of a heap id as a number}
   *
   * @param heapId the number of the id in the heap of shared messages, see {@link #number}
   */
  public static long number(byte[] heapId) {
    return ByteBuffer.wrap(heapId).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /**
   * {@return the heap id of a message that is stored in the heap}
   *
   * @param message the message
   */
  public static OptionalLong heapId(HeaderMessage message) {
    return message.isShared()
            && message.message() instanceof SharedMessage shared
            && shared.pointer() instanceof SharedPointer.InHeap heap
        ? OptionalLong.of(heap.heapId())
        : OptionalLong.empty();
  }

  /**
   * {@return the message that refers to one in the heap}
   *
   * @param type the type of the message
   * @param heapId the number of the id in the heap of shared messages, see {@link #number}
   */
  public static SharedMessage pointer(MessageType type, long heapId) {
    return new SharedMessage(type.code(), new SharedPointer.InHeap(heapId));
  }

  /** {@return the table, if the file has one} */
  public Optional<SharedMessages> table() {
    return table;
  }

  /** {@return the heap that stores shared attributes, if there is one} */
  public Optional<FractalHeap> attributes() {
    return table.flatMap(messages -> messages.heap(MessageType.ATTRIBUTE.code()));
  }

  /** Returns whether attributes of some size are shared in this file. */
  boolean sharesAttributes() {
    return table
        .filter(each -> each.shares(MessageType.ATTRIBUTE.code(), Integer.MAX_VALUE))
        .isPresent();
  }

  /**
   * Removes one user of a header's message if the message is shared or indexed. {@link Attributes}
   * releases attributes, which refer to further messages.
   *
   * @param header the object's header
   * @param message the message
   * @param committed called with the address of each committed type's header
   */
  public void release(ObjectHeader header, HeaderMessage message, LongConsumer committed) {
    if (message.type().filter(MessageType::sharable).isEmpty()) {
      return;
    }
    if (message.isShared()) {
      releasePart(message.message(), committed);
    } else if ((message.flags() & HeaderMessage.SHARABLE) != 0 && table.isPresent()) {
      table
          .get()
          .releaseInHeader(message.typeCode(), message.payload().toByteArray(), header.address());
    }
  }

  /**
   * Removes one user of a message in the heap.
   *
   * @param type the type of the message
   * @param heapId the number of the id in the heap of shared messages, see {@link #number}
   * @return whether it was the last user
   */
  public boolean release(MessageType type, long heapId) {
    return requireTable().release(type.code(), bytes(heapId)).isPresent();
  }

  /**
   * Adds one user to an attribute's type and space.
   *
   * @param attribute the attribute
   * @param committed called with the address of each committed type's header
   */
  public void retainParts(AttributeMessage attribute, LongConsumer committed) {
    retainPart(attribute.typeMessage(), committed);
    retainPart(attribute.spaceMessage(), committed);
  }

  private void retainPart(Message part, LongConsumer committed) {
    if (part instanceof SharedMessage shared) {
      switch (shared.pointer()) {
        case SharedPointer.InHeap heap ->
            requireTable().retain(shared.typeCode(), bytes(heap.heapId()));
        case SharedPointer.InHeader there -> committed.accept(there.headerAddress());
      }
    }
  }

  /**
   * Removes one user from an attribute's type and space.
   *
   * @param attribute the attribute
   * @param committed called with the address of each committed type's header
   */
  public void releaseParts(AttributeMessage attribute, LongConsumer committed) {
    releasePart(attribute.typeMessage(), committed);
    releasePart(attribute.spaceMessage(), committed);
  }

  private void releasePart(Message part, LongConsumer committed) {
    if (part instanceof SharedMessage shared) {
      switch (shared.pointer()) {
        case SharedPointer.InHeap heap ->
            requireTable().release(shared.typeCode(), bytes(heap.heapId()));
        case SharedPointer.InHeader there -> committed.accept(there.headerAddress());
      }
    }
  }
}
