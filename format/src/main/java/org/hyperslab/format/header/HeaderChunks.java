package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The chunks of one object header, and the messages in them.
 *
 * <p>Thread rule: as {@link ObjectHeader}.
 */
final class HeaderChunks {

  /** The greatest number of messages in the prefix of version 1, which stores it in 16 bits. */
  private static final int MAX_MESSAGES_1 = 65_535;

  /** The C library's number of all types that it does not know ({@code H5O_UNKNOWN_ID}). */
  private static final int UNKNOWN_TYPE = 0x19;

  private final MetadataSpace space;
  private final List<HeaderChunk> chunks;

  /**
   * Creates the chunks of a header.
   *
   * @param chunks the chunks, the first one first; changed as continuations are added and freed
   */
  HeaderChunks(MetadataSpace space, List<HeaderChunk> chunks) {
    this.space = space;
    this.chunks = chunks;
  }

  /** Returns the chunks, which change as continuations are added and freed. */
  List<HeaderChunk> list() {
    return chunks;
  }

  HeaderChunk first() {
    return chunks.getFirst();
  }

  HeaderPrefix prefix() {
    return first().prefix();
  }

  /** Returns every message except NIL and continuation messages, in the order of the chunks. */
  List<HeaderMessage> messages() {
    List<HeaderMessage> all = allMessages();
    all.removeIf(message -> !isContent(message));
    return all;
  }

  private static boolean isContent(HeaderMessage message) {
    return !message.is(MessageType.NIL) && !message.is(MessageType.CONTINUATION);
  }

  /** Returns every message, including NIL and continuation messages, in the order of the chunks. */
  List<HeaderMessage> allMessages() {
    List<HeaderMessage> all = new ArrayList<>();
    for (HeaderChunk chunk : chunks) {
      all.addAll(chunk.messages());
    }
    return all;
  }

  // Several of the following calls are made for every request for an object: no iterators.

  /** Returns the messages of a type, in the order of the chunks. */
  List<HeaderMessage> findAll(MessageType type) {
    List<HeaderMessage> found = new ArrayList<>();
    for (int c = 0; c < chunks.size(); c++) {
      HeaderChunk chunk = chunks.get(c);
      for (int i = 0; i < chunk.messageCount(); i++) {
        if (chunk.message(i).is(type)) {
          found.add(chunk.message(i));
        }
      }
    }
    return found;
  }

  /** Returns the first message of a type; null if there is none. */
  HeaderMessage find(MessageType type) {
    int code = type.code();
    HeaderMessage found = null;
    for (int c = 0; found == null && c < chunks.size(); c++) {
      found = chunks.get(c).find(code);
    }
    return found;
  }

  /** Returns the number of messages of a type. */
  int count(MessageType type) {
    int count = 0;
    for (int c = 0; c < chunks.size(); c++) {
      HeaderChunk chunk = chunks.get(c);
      int messages = chunk.find(type.code()) == null ? 0 : chunk.messageCount();
      for (int i = 0; i < messages; i++) {
        count += chunk.message(i).is(type) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Returns the first message of unknown type that has one of some flags; null if there is none.
   */
  HeaderMessage findUnknown(int flags) {
    for (int c = 0; c < chunks.size(); c++) {
      HeaderChunk chunk = chunks.get(c);
      int count = chunk.mayHoldUnknown(flags) ? chunk.messageCount() : 0;
      for (int i = 0; i < count; i++) {
        HeaderMessage message = chunk.message(i);
        if ((message.flags() & flags) != 0 && message.type().isEmpty()) {
          return message;
        }
      }
    }
    return null;
  }

  /** Returns the chunk that holds a message. */
  HeaderChunk chunkOf(HeaderMessage message) {
    for (HeaderChunk chunk : chunks) {
      if (HeaderSpace.indexOf(chunk, message) >= 0) {
        return chunk;
      }
    }
    throw new InvalidUseException(
        "message: actual="
            + message
            + ", expected=a message of this header, at="
            + first().address());
  }

  /** Returns the sizes of the header's parts. */
  HeaderInfo info() {
    int count = 0;
    long total = 0;
    long payloads = 0;
    long free = 0;
    long present = 0;
    long shared = 0;
    for (HeaderChunk chunk : chunks) {
      int encoded = chunk.encodedMessageCount();
      count += encoded;
      present |= encoded > chunk.messageCount() ? typeBit(MessageType.NIL.code()) : 0;
      total += chunk.encodedSize();
      free += chunk.freeBytes();
      for (int i = 0; i < chunk.messageCount(); i++) {
        HeaderMessage message = chunk.message(i);
        payloads += isContent(message) ? message.payload().size() : 0;
        present |= typeBit(message.typeCode());
        shared |= message.isShared() ? typeBit(message.typeCode()) : 0;
      }
    }
    return new HeaderInfo(
        prefix().version(),
        prefix().flags(),
        count,
        chunks.size(),
        total,
        total - payloads - free,
        payloads,
        free,
        present,
        shared);
  }

  private static long typeBit(int typeCode) {
    return 1L << Math.min(typeCode, UNKNOWN_TYPE);
  }

  /**
   * Returns the number of messages of all chunks as encoded.
   *
   * @throws InvalidUseException if the prefix of version 1 cannot store it
   */
  int encodedMessageCount() {
    int count = 0;
    for (HeaderChunk chunk : chunks) {
      count += chunk.encodedMessageCount();
    }
    if (prefix().version() == 1 && count > MAX_MESSAGES_1) {
      throw new InvalidUseException(
          "messages of an object header of version 1: actual="
              + count
              + ", expected=at most "
              + MAX_MESSAGES_1
              + ", at="
              + space.geometry().file()
              + "@"
              + first().address());
    }
    return count;
  }
}
