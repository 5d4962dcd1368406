package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A chunk of an object header: the first one, with the prefix, or a continuation.
 *
 * <pre>
 *   first chunk:   prefix, messages, gap, checksum (version 2)
 *   continuation:  signature OCHK (version 2), messages, gap, checksum (version 2)
 *   message:       version 1: 2 type, 2 size, 1 flags, 3 reserved, payload of 8n bytes
 *                  version 2: 1 type, 2 size, 1 flags, 2 creation index (if tracked), payload
 * </pre>
 *
 * <p>Until its first edit a chunk keeps NIL messages where they were, so that it encodes to the
 * bytes that were read. An edit drops them, and free space is written as NIL messages after the
 * last message, or in version 2 as a gap if it is too small for one.
 *
 * <p>A header is searched several times in each request for an object, and a program may create
 * many objects: the messages are in an array, and two sets of bits show most searches that there is
 * nothing to find.
 */
final class HeaderChunk implements MetadataBlock {

  private static final String CONTINUATION_SIGNATURE = "OCHK";
  private static final int SIGNATURE_BYTES = 4;
  private static final int CHECKSUM_BYTES = 4;
  private static final int MAXIMUM_MESSAGES = 1 << 20;

  /** The messages for which there is room at first: those of a dataset, and another one. */
  private static final int FIRST_ROOM = 6;

  private static final HeaderMessage[] NONE = {};

  /** The largest payload that a 16-bit size and 8-byte alignment permit. */
  static final int MAXIMUM_PAYLOAD_1 = 65_528;

  /** The largest payload of a version 2 message. */
  static final int MAXIMUM_PAYLOAD_2 = 65_535;

  private final long address;
  private final int sizeBytes;
  private int version;
  private int headingBytes;
  private HeaderMessage[] messages = NONE;
  private int count;
  private volatile ObjectHeader header;

  /** The prefix of a first chunk; null in a continuation. */
  private HeaderPrefix prefix;

  /** A bit for each type of message that was ever added, by its number modulo 64. */
  private long types;

  /** The flags of all messages of unknown type that were ever added. */
  private int unknownFlags;

  private int usedBytes;
  private boolean edited;

  private HeaderChunk(long address, int sizeBytes, HeaderPrefix format, boolean first) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.version = format.version();
    this.headingBytes = headingBytes(format);
    this.prefix = first ? format : null;
  }

  private HeaderChunk(long address, HeaderChunk form) {
    this.address = address;
    this.sizeBytes = form.sizeBytes;
    this.version = form.version;
    this.headingBytes = form.headingBytes;
    this.prefix = form.prefix;
    this.edited = form.edited;
  }

  /** Creates a first chunk without messages. */
  static HeaderChunk first(long address, HeaderPrefix prefix) {
    HeaderChunk chunk = new HeaderChunk(address, (int) firstSize(prefix), prefix, true);
    chunk.edited = true;
    return chunk;
  }

  /** Returns a first chunk with the same messages at another address. */
  HeaderChunk copyAt(long newAddress) {
    HeaderChunk copy = new HeaderChunk(newAddress, this);
    copy.messages = messages.clone();
    copy.count = count;
    copy.types = types;
    copy.unknownFlags = unknownFlags;
    copy.usedBytes = usedBytes;
    return copy;
  }

  /** Creates a continuation without messages. */
  static HeaderChunk continuation(long address, int sizeBytes, HeaderPrefix format) {
    HeaderChunk chunk = new HeaderChunk(address, sizeBytes, format, false);
    chunk.edited = true;
    return chunk;
  }

  static long firstSize(HeaderPrefix prefix) {
    return Math.addExact(
        prefix.messageBytes(), prefix.encodedSize() + (prefix.version() == 1 ? 0 : CHECKSUM_BYTES));
  }

  /** Returns the number of bytes of a continuation other than its messages. */
  static int continuationOverhead(HeaderPrefix format) {
    return format.version() == 1 ? 0 : SIGNATURE_BYTES + CHECKSUM_BYTES;
  }

  /** Returns the number of bytes before a payload. */
  static int headingBytes(HeaderPrefix format) {
    if (format.version() == 1) {
      return 8;
    }
    return 4 + ((format.flags() & HeaderPrefix.TRACK_ATTRIBUTES) != 0 ? 2 : 0);
  }

  static HeaderChunk decodeFirst(MetadataReader reader) {
    long address = reader.fileOffset();
    HeaderPrefix prefix = HeaderPrefix.decode(reader);
    int total = (int) firstSize(prefix);
    HeaderChunk chunk = new HeaderChunk(address, total, prefix, true);
    chunk.decodeMessages(reader, total);
    return chunk;
  }

  static HeaderChunk decodeContinuation(MetadataReader reader, HeaderPrefix format) {
    long address = reader.fileOffset();
    int total = reader.remaining();
    HeaderChunk chunk = new HeaderChunk(address, total, format, false);
    if (format.version() > 1) {
      reader.signature(CONTINUATION_SIGNATURE);
    }
    chunk.decodeMessages(reader, total);
    return chunk;
  }

  private void decodeMessages(MetadataReader reader, int total) {
    int checksum = version == 1 ? 0 : CHECKSUM_BYTES;
    int end = total - checksum;
    while (end - reader.position() >= headingBytes) {
      decodeMessage(reader, end);
      if (count > MAXIMUM_MESSAGES) {
        throw reader.corrupt("messages actual=more than " + MAXIMUM_MESSAGES + " in one chunk");
      }
    }
    reader.skip(end - reader.position());
    if (checksum > 0) {
      reader.checksum();
    }
  }

  private void decodeMessage(MetadataReader reader, int end) {
    int type = version == 1 ? reader.u16() : reader.u8();
    int size = reader.u16();
    int flags = reader.u8();
    int index = 0;
    if (version == 1) {
      reader.skip(3);
    } else if (headingBytes > 4) {
      index = reader.u16();
    }
    if (size > end - reader.position() || (version == 1 && size % 8 != 0)) {
      throw reader.corrupt(
          "size of message type "
              + type
              + " actual="
              + size
              + ", expected=at most "
              + (end - reader.position())
              + (version == 1 ? " and a multiple of 8" : ""));
    }
    long offset = reader.fileOffset();
    HeaderMessage.Heading heading = new HeaderMessage.Heading(type, flags, index);
    add(new HeaderMessage(reader.geometry(), heading, Bytes.read(reader, size), offset, null));
  }

  @Override
  public long encodedSize() {
    return sizeBytes;
  }

  @Override
  public int publicationOrder() {
    return 5;
  }

  /**
   * Returns false for a first chunk, because no object keeps a header beyond the operation that
   * found it. A header keeps its continuations.
   */
  @Override
  public boolean isKept() {
    return prefix == null;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    if (prefix != null) {
      prefix.encode(writer);
    } else if (version > 1) {
      writer.signature(CONTINUATION_SIGNATURE);
    }
    for (int i = 0; i < count; i++) {
      HeaderMessage message = messages[i];
      int size = message.payload().size();
      encodeHeading(writer, message.typeCode(), size, message.flags(), message.creationIndex());
      message.payload().writeTo(writer);
    }
    int end = start + sizeBytes - (version == 1 ? 0 : CHECKSUM_BYTES);
    if (edited) {
      for (int payload : freePayloads()) {
        encodeHeading(writer, MessageType.NIL.code(), payload, 0, 0);
        writer.zeros(payload);
      }
    }
    writer.zerosTo(end);
    if (version > 1) {
      writer.checksumFrom(start);
    }
  }

  private void encodeHeading(
      MetadataWriter writer, int typeCode, int size, int flags, int creationIndex) {
    if (version == 1) {
      writer.i64(typeCode | (long) size << 16 | (long) flags << 32);
      return;
    }
    writer.u8(typeCode).u16(size).u8(flags);
    if (headingBytes > 4) {
      writer.u16(creationIndex);
    }
  }

  /**
   * Returns the payload sizes of the NIL messages that fill free space; in version 2 a gap may
   * remain.
   */
  private List<Integer> freePayloads() {
    if (freeBytes() < headingBytes) { // most chunks are full
      return List.of();
    }
    List<Integer> sizes = new ArrayList<>();
    int greatest = version == 1 ? MAXIMUM_PAYLOAD_1 : MAXIMUM_PAYLOAD_2;
    int left = freeBytes();
    while (left >= headingBytes) {
      int payload = Math.min(left - headingBytes, greatest);
      int rest = left - headingBytes - payload;
      if (rest > 0 && rest < headingBytes) {
        payload -= headingBytes; // so that the remainder is a message, not a gap beside one
        rest += headingBytes;
      }
      sizes.add(payload);
      left = rest;
    }
    return sizes;
  }

  /** Returns the address of this chunk. */
  long address() {
    return address;
  }

  /** Returns whether this is the first chunk of a header, which has a prefix. */
  boolean isFirst() {
    return prefix != null;
  }

  /** Returns the prefix of a first chunk. */
  HeaderPrefix prefix() {
    return Objects.requireNonNull(prefix, "a continuation has no prefix");
  }

  void prefix(HeaderPrefix newPrefix) {
    prefix = newPrefix;
  }

  /** Changes a first chunk to version 2, in the same bytes of the file and with its messages. */
  void toVersion2() {
    HeaderPrefix small = HeaderOptions.version(2).prefix(0);
    int messageBytes = sizeBytes - small.encodedSize() - CHECKSUM_BYTES;
    prefix = HeaderOptions.version(2).prefix(messageBytes);
    version = 2;
    headingBytes = headingBytes(prefix);
    usedBytes = 0;
    for (int i = 0; i < count; i++) {
      usedBytes += taken(messages[i]);
    }
  }

  /** Returns the header that begins with this chunk; null until it has been assembled. */
  ObjectHeader header() {
    return header;
  }

  /**
   * Sets the header that begins with this chunk, and returns it, or the one that was set before.
   */
  synchronized ObjectHeader assembled(ObjectHeader whole) {
    if (header == null) {
      header = whole;
    }
    return header;
  }

  /** Returns a view of the messages, including NIL messages until the first edit. */
  List<HeaderMessage> messages() {
    return Collections.unmodifiableList(Arrays.asList(messages).subList(0, count));
  }

  /** Returns the number of messages in {@link #messages}. */
  int messageCount() {
    return count;
  }

  /** Returns the message at a position in {@link #messages}. */
  HeaderMessage message(int position) {
    return messages[position];
  }

  /** Returns the first message of a type; null if there is none. */
  HeaderMessage find(int typeCode) {
    if ((types & 1L << typeCode) == 0) {
      return null;
    }
    for (int i = 0; i < count; i++) {
      if (messages[i].typeCode() == typeCode) {
        return messages[i];
      }
    }
    return null;
  }

  /** Returns false if no message of unknown type has one of some flags. */
  boolean mayHoldUnknown(int flags) {
    return (unknownFlags & flags) != 0;
  }

  /** Adds a message after the others. */
  void add(HeaderMessage message) {
    if (count == messages.length) {
      messages = Arrays.copyOf(messages, Math.max(FIRST_ROOM, 2 * count));
    }
    messages[count++] = message;
    note(message);
    usedBytes += taken(message);
  }

  /** Replaces a message. */
  void set(int index, HeaderMessage message) {
    usedBytes += taken(message) - taken(messages[index]);
    messages[index] = message;
    note(message);
  }

  private void note(HeaderMessage message) {
    types |= 1L << message.typeCode();
    if (message.typeCode() >= MessageType.COUNT) {
      unknownFlags |= message.flags();
    }
  }

  /** Removes a message. */
  HeaderMessage remove(int index) {
    HeaderMessage removed = messages[index];
    count--;
    System.arraycopy(messages, index + 1, messages, index, count - index);
    messages[count] = null;
    usedBytes -= taken(removed);
    return removed;
  }

  /** Returns the number of bytes that a message takes; 0 for NIL messages, which are free space. */
  private int taken(HeaderMessage message) {
    return message.is(MessageType.NIL) ? 0 : headingBytes + message.payload().size();
  }

  /** Prepares for an edit by dropping NIL messages. */
  void edit() {
    if (!edited) {
      for (int i = count - 1; i >= 0; i--) {
        if (messages[i].is(MessageType.NIL)) {
          remove(i);
        }
      }
      edited = true;
    }
  }

  /** Returns whether the NIL messages that were read have been dropped. */
  boolean isEdited() {
    return edited;
  }

  /** Returns the number of messages as encoded, including NIL messages. */
  int encodedMessageCount() {
    return count + (edited ? freePayloads().size() : 0);
  }

  /** Returns the number of bytes available for messages with their headings. */
  int capacityBytes() {
    int overhead = version == 1 ? 0 : CHECKSUM_BYTES + (prefix != null ? 0 : SIGNATURE_BYTES);
    return sizeBytes - overhead - (prefix != null ? prefix.encodedSize() : 0);
  }

  /** Returns the number of bytes that are not used by messages other than NIL. */
  int freeBytes() {
    return capacityBytes() - usedBytes;
  }

  @Override
  public String toString() {
    return "object header chunk@" + address;
  }
}
