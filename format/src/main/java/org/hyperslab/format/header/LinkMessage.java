package org.hyperslab.format.header;

import java.util.Arrays;
import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;

/**
 * The link message: a link of a new-style group, in the group's header or as an object in its
 * fractal heap.
 *
 * <pre>
 *   1        version, 1
 *   1        flags: 0-1 size of the name's length, 2 creation index present, 3 type present,
 *                   4 character set present
 *   1        type: 0 hard (also if absent), 1 soft, 64 external, 65-255 user-defined  (if present)
 *   8        creation index   (if present)
 *   1        character set    (if present)
 *   1,2,4,8  length of the name
 *            name, no NUL
 *            hard: O address; soft: 2 length, path; others: 2 length, bytes
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.g; reference {@code H5Olink.c}.
 *
 * @param name the name, at least one character
 * @param encoding the name's character set
 * @param creationIndex the creation index, if the group tracks it
 * @param target the target of the link
 */
public record LinkMessage(
    String name, TextEncoding encoding, OptionalLong creationIndex, Target target)
    implements Message {

  private static final int VERSION = 1;
  private static final int CREATION_INDEX = 0x04;
  private static final int TYPE = 0x08;
  private static final int CHARACTER_SET = 0x10;
  private static final int ALL_FLAGS = 0x1F;
  private static final int SOFT = 1;
  private static final int EXTERNAL = 64;
  private static final int MAXIMUM_VALUE_BYTES = 65_535;

  /** The target of a link. */
  public sealed interface Target {}

  /**
   * An object of the same file.
   *
   * @param headerAddress the address of its header
   */
  public record Hard(long headerAddress) implements Target {}

  /**
   * A path that is resolved when the link is used.
   *
   * @param path a path relative to the link's group, or to the root if it begins with a slash
   */
  public record Soft(String path) implements Target {}

  /**
   * An object of another file.
   *
   * @param flags version (high four bits, 0) and flags (low four bits, 0)
   * @param file the file's name
   * @param path the object's path in that file
   */
  public record External(int flags, String file, String path) implements Target {}

  /**
   * A link of a user-defined class, or an external link whose value is malformed.
   *
   * @param linkClass 64 to 255
   * @param value the bytes that the class stores
   */
  public record UserDefined(int linkClass, Bytes value) implements Target {}

  /**
   * {@return a link with the smallest character set that the name needs}
   *
   * @param name the link's name
   * @param creationIndex the creation order, if it is tracked
   * @param target the target of the link
   */
  public static LinkMessage of(String name, OptionalLong creationIndex, Target target) {
    return new LinkMessage(name, TextEncoding.of(name), creationIndex, target);
  }

  @Override
  public int typeCode() {
    return MessageType.LINK.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static LinkMessage decode(MetadataReader reader) {
    reader.expectU8("version", VERSION);
    int flags = reader.u8();
    if ((flags & ~ALL_FLAGS) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..0x1f");
    }
    int type = (flags & TYPE) != 0 ? reader.u8() : 0;
    OptionalLong index =
        (flags & CREATION_INDEX) != 0 ? OptionalLong.of(reader.i64()) : OptionalLong.empty();
    TextEncoding encoding =
        (flags & CHARACTER_SET) != 0 ? TextEncoding.decode(reader) : TextEncoding.ASCII;
    long length = reader.unsigned(1 << (flags & 3));
    if (length < 1 || length > reader.remaining()) {
      throw reader.corrupt("name length actual=" + length + ", expected=1.." + reader.remaining());
    }
    String name = text(reader, (int) length);
    return new LinkMessage(name, encoding, index, target(reader, type));
  }

  private static Target target(MetadataReader reader, int type) {
    if (type == 0) {
      return new Hard(reader.offset());
    }
    if (type > SOFT && type < EXTERNAL) {
      throw reader.corrupt("link type actual=" + type + ", expected=0, 1 or 64..255");
    }
    int size = reader.u16();
    if (type == SOFT) {
      if (size == 0) {
        throw reader.corrupt("soft link length actual=0, expected=at least 1");
      }
      return new Soft(text(reader, size));
    }
    if (type == EXTERNAL) {
      return external(reader.bytes(size));
    }
    return new UserDefined(type, Bytes.read(reader, size));
  }

  /**
   * Returns the target in a value of the external link class. A malformed value is kept as it is:
   * the HDF5 library stores any value that a program gives for this class, and fails only when it
   * follows the link.
   */
  private static Target external(byte[] value) {
    int file = nul(value, 1);
    int path = nul(value, file + 1);
    if (path != value.length - 1) {
      return new UserDefined(EXTERNAL, Bytes.of(value));
    }
    return new External(
        value[0] & 0xFF,
        NameBytes.decode(Arrays.copyOfRange(value, 1, file)),
        NameBytes.decode(Arrays.copyOfRange(value, file + 1, path)));
  }

  /**
   * Returns the index of the first zero byte from {@code from} on, or the length if there is none.
   */
  private static int nul(byte[] value, int from) {
    int at = from;
    while (at < value.length && value[at] != 0) {
      at++;
    }
    return at;
  }

  private static String text(MetadataReader reader, int length) {
    return NameBytes.decode(reader.bytes(length));
  }

  @Override
  public void encode(MetadataWriter writer) {
    byte[] nameBytes = NameBytes.encode(name);
    int lengthCode = nameBytes.length < 256 ? 0 : nameBytes.length < 65_536 ? 1 : 2;
    int type = type();
    writer
        .u8(VERSION)
        .u8(
            lengthCode
                | (creationIndex.isPresent() ? CREATION_INDEX : 0)
                | (type != 0 ? TYPE : 0)
                | (encoding != TextEncoding.ASCII ? CHARACTER_SET : 0));
    if (type != 0) {
      writer.u8(type);
    }
    if (creationIndex.isPresent()) {
      writer.i64(creationIndex.getAsLong());
    }
    if (encoding != TextEncoding.ASCII) {
      writer.u8(encoding.code());
    }
    writer.unsigned(nameBytes.length, 1 << lengthCode).bytes(nameBytes);
    encodeTarget(writer);
  }

  private int type() {
    return switch (target) {
      case Hard _ -> 0;
      case Soft _ -> SOFT;
      case External _ -> EXTERNAL;
      case UserDefined user -> user.linkClass;
    };
  }

  private void encodeTarget(MetadataWriter writer) {
    switch (target) {
      case Hard hard -> writer.offset(hard.headerAddress);
      case Soft soft -> {
        byte[] path = NameBytes.encode(soft.path);
        writer.u16(bounded(path.length)).bytes(path);
      }
      case External external -> {
        byte[] file = NameBytes.encode(external.file);
        byte[] path = NameBytes.encode(external.path);
        writer.u16(bounded(3 + file.length + path.length));
        writer.u8(external.flags).bytes(file).u8(0).bytes(path).u8(0);
      }
      case UserDefined user -> {
        writer.u16(bounded(user.value.size()));
        user.value.writeTo(writer);
      }
    }
  }

  private int bounded(int size) {
    if (size > MAXIMUM_VALUE_BYTES) {
      throw new InvalidUseException(
          "link value: actual=" + size + " bytes, expected=at most 65535, at=" + name);
    }
    return size;
  }
}
