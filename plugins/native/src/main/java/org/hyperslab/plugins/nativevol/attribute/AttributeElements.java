package org.hyperslab.plugins.nativevol.attribute;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Converts the elements of attributes between memory and the messages that hold them.
 *
 * <p>Thread rule: as {@link ObjectHeaders}; every edit under the file's write lock.
 */
final class AttributeElements {

  private final ObjectHeaders headers;

  AttributeElements(ObjectHeaders headers) {
    this.headers = headers;
  }

  /** Returns the message with the elements, converted before anything in the file is changed. */
  AttributeMessage with(AttributeMessage message, Attributes.Content content) {
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(message.name(), content.memoryType(), count, content.source());
    byte[] data = message.data().toByteArray();
    MemorySegment elements = MemorySegment.ofArray(data);
    if (count > 0) {
      try {
        Converter.between(content.memoryType(), type)
            .open(content.source().heap(), headers.heap())
            .convert(content.source().elements(), 0, elements, 0, count);
      } catch (RuntimeException refused) {
        headers.heap().release(type, elements, count);
        throw refused;
      }
    }
    return message.withData(Bytes.of(data));
  }

  /** Returns the type of the elements. */
  Datatype type(AttributeMessage message) {
    return ((DatatypeMessage) resolved(message.typeMessage())).type();
  }

  /** Returns the extent. */
  Dataspace space(AttributeMessage message) {
    return ((DataspaceMessage) resolved(message.spaceMessage())).space();
  }

  private Message resolved(Message part) {
    return part instanceof SharedMessage shared
        ? headers.resolve(shared.typeCode(), shared.pointer())
        : part;
  }

  /**
   * Returns the elements as stored, after checking their size against the type.
   *
   * @param type the type of the elements, which is the message's own or the one that it shares
   */
  private MemorySegment stored(AttributeMessage message, Datatype type, long count) {
    long bytes = message.data().size();
    if (count > bytes / Math.max(1, type.size())) {
      throw new CorruptFileException(
          headers.file().name(),
          "attribute " + message.name(),
          CorruptFileException.NO_OFFSET,
          "data actual="
              + bytes
              + " bytes, expected="
              + count
              + " elements of "
              + type.size()
              + " bytes");
    }
    return MemorySegment.ofArray(message.data().toByteArray());
  }

  /** Frees the objects in the global heap that an attribute's elements refer to. */
  void release(AttributeMessage message) {
    Datatype type = type(message);
    if (type.hasOutOfLineParts()) {
      long count = space(message).elementCount();
      headers.heap().release(type, stored(message, type, count), count);
    }
  }

  private static void requireRoom(String name, Datatype memoryType, long count, DataBuffer buffer) {
    long needed = Math.multiplyExact(count, (long) memoryType.size());
    if (buffer.elements().byteSize() < needed) {
      throw new InvalidUseException(
          "buffer: actual="
              + buffer.elements().byteSize()
              + " bytes, expected=at least "
              + needed
              + " for attribute "
              + name);
    }
  }

  /** Reads all elements, converting them. */
  void read(AttributeMessage message, Datatype memoryType, DataBuffer target) {
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(message.name(), memoryType, count, target);
    MemorySegment stored = stored(message, type, count);
    if (!type.hasOutOfLineParts() && type.equals(memoryType)) {
      MemorySegment.copy(stored, 0, target.elements(), 0, count * type.size());
    } else if (count > 0) {
      Converter.between(type, memoryType)
          .open(headers.heap(), target.heap())
          .convert(stored, 0, target.elements(), 0, count);
    }
  }

  /**
   * Returns the message with other elements, converted over the present ones. The heap objects of
   * the present ones stay.
   */
  AttributeMessage over(AttributeMessage message, Datatype memoryType, DataBuffer source) {
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(message.name(), memoryType, count, source);
    byte[] data = new byte[Math.toIntExact(count * type.size())];
    MemorySegment elements = MemorySegment.ofArray(data);
    MemorySegment.copy(stored(message, type, count), 0, elements, 0, data.length);
    if (count > 0) {
      Converter.between(memoryType, type)
          .open(source.heap(), headers.heap())
          .convert(source.elements(), 0, elements, 0, count);
    }
    return message.withData(Bytes.of(data));
  }
}
