package org.hyperslab.format.header;

import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;

/**
 * A message as it is stored in an object header: type, flags, creation index and payload. The
 * payload is kept as read, so that a message that is unknown or unchanged is written back byte for
 * byte; it is decoded on demand.
 *
 * <p>Two header messages are the same only if they are the same object: a header returns the
 * messages that it holds, and accepts them as arguments to replace or remove them.
 *
 * <p>Thread rule: immutable.
 */
public final class HeaderMessage {

  /** Flag: the message never changes. */
  public static final int CONSTANT = 0x01;

  /** Flag: the payload is a {@link SharedPointer}. */
  public static final int SHARED = 0x02;

  /** Flag: the message must not be shared. */
  public static final int DO_NOT_SHARE = 0x04;

  /** Flag: a program that does not know this type must not write to the file. */
  public static final int FAIL_IF_UNKNOWN_AND_WRITING = 0x08;

  /**
   * Flag: a program that does not know this type and changes the object sets {@link #WAS_UNKNOWN}.
   */
  public static final int MARK_IF_UNKNOWN = 0x10;

  /** Flag: the object was changed by a program that did not know this type. */
  public static final int WAS_UNKNOWN = 0x20;

  /** Flag: the message could be shared. */
  public static final int SHARABLE = 0x40;

  /** Flag: a program that does not know this type must not open the object. */
  public static final int FAIL_IF_UNKNOWN = 0x80;

  private final FileGeometry geometry;
  private final int typeCode;
  private final int flags;
  private final int creationIndex;
  private final Bytes payload;
  private final long payloadOffset;
  private volatile Message decoded;

  /**
   * Creates a message of a header.
   *
   * @param heading type, flags and creation index
   * @param payload the payload with its padding
   * @param payloadOffset the offset that the payload was read from, for errors; or {@link
   *     CorruptFileException#NO_OFFSET}
   * @param decoded the decoded payload, or null if it has not been decoded yet
   */
  HeaderMessage(
      FileGeometry geometry, Heading heading, Bytes payload, long payloadOffset, Message decoded) {
    this.geometry = geometry;
    this.typeCode = heading.typeCode;
    this.flags = heading.flags;
    this.creationIndex = heading.creationIndex;
    this.payload = payload;
    this.payloadOffset = payloadOffset;
    this.decoded = decoded;
  }

  /** The fields before a payload, other than its size. */
  record Heading(int typeCode, int flags, int creationIndex) {}

  /** {@return the number of the message's type} */
  public int typeCode() {
    return typeCode;
  }

  /** {@return the message's type, if this library knows it} */
  public Optional<MessageType> type() {
    return MessageType.of(typeCode);
  }

  /**
   * {@return whether the message is of that type}
   *
   * @param type the type to compare with
   */
  public boolean is(MessageType type) {
    return typeCode == type.code();
  }

  /** {@return the flags, a sum of the constants of this class} */
  public int flags() {
    return flags;
  }

  /** {@return whether the content is stored elsewhere} */
  public boolean isShared() {
    return (flags & SHARED) != 0;
  }

  /** {@return the creation index, 0 to 65,535; 0 if the header does not store it} */
  public int creationIndex() {
    return creationIndex;
  }

  /** {@return the payload with its padding} */
  public Bytes payload() {
    return payload;
  }

  /**
   * {@return the decoded payload}
   *
   * @throws CorruptFileException if the payload does not match its type
   * @throws org.hyperslab.error.UnsupportedFeatureException if its version is unknown
   */
  public Message message() {
    Message message = decoded;
    if (message == null) {
      message =
          MessageCodec.decode(
              typeCode, flags, payload.reader(geometry, structure(), payloadOffset));
      decoded = message;
    }
    return message;
  }

  /**
   * {@return the decoded payload; if it is shared, the message that it refers to}
   *
   * @param resolver finds messages that are stored elsewhere
   */
  public Message message(SharedMessageResolver resolver) {
    Message message = message();
    Message resolved =
        message instanceof SharedMessage shared
            ? resolver.resolve(shared.typeCode(), shared.pointer())
            : message;
    if (resolved instanceof AttributeMessage attribute && attribute.hasSharedParts()) {
      return attribute.resolve(resolver, payload.reader(geometry, structure(), payloadOffset));
    }
    return resolved;
  }

  /** Returns the name of this message for error texts. */
  String structure() {
    Optional<MessageType> type = type();
    return type.isPresent() ? type.get().structure() : "message of unknown type " + typeCode;
  }

  HeaderMessage withFlags(int newFlags) {
    return new HeaderMessage(
        geometry, new Heading(typeCode, newFlags, creationIndex), payload, payloadOffset, decoded);
  }

  @Override
  public String toString() {
    return structure()
        + " "
        + payload
        + (flags == 0 ? "" : " flags=0x" + Integer.toHexString(flags));
  }
}
