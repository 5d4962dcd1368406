package org.hyperslab.format.header;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;

/**
 * The attribute message: one attribute, in an object's header or as an object in its fractal heap.
 *
 * <pre>
 *   1  version
 *   1  reserved (version 1), or flags: bit 0 datatype shared, bit 1 dataspace shared
 *   2  size of the name, NUL included
 *   2  size of the datatype
 *   2  size of the dataspace
 *   1  character set of the name    (version 3)
 *      name, NUL-terminated         (version 1: padded to 8 bytes)
 *      datatype, or pointer to it   (version 1: padded to 8 bytes)
 *      dataspace, or pointer to it  (version 1: padded to 8 bytes)
 *      data
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.m; reference {@code H5Oattr.c}.
 *
 * @param version 1, 2 or 3
 * @param encoding the name's character set; ASCII before version 3
 * @param name the name
 * @param typeMessage a {@link DatatypeMessage}, or a {@link SharedMessage} that points to one
 * @param spaceMessage a {@link DataspaceMessage}, or a {@link SharedMessage} that points to one
 * @param data the elements, file form; if the type or the space is shared, some bytes of padding
 *     may follow
 */
public record AttributeMessage(
    int version,
    TextEncoding encoding,
    String name,
    Message typeMessage,
    Message spaceMessage,
    Bytes data)
    implements Message {

  private static final int TYPE_SHARED = 1;
  private static final int SPACE_SHARED = 2;
  private static final int MAXIMUM_PART_BYTES = 65_535;

  /**
   * {@return an attribute in the version for that generation, or the least above it that can
   * express it: 2 for a committed datatype, 3 for a name outside ASCII}
   *
   * @param name the attribute's name
   * @param typeMessage the datatype message, or a pointer to a shared one
   * @param spaceMessage the dataspace message
   * @param data the raw data
   * @param low the lower version bound
   */
  public static AttributeMessage of(
      String name,
      Message typeMessage,
      DataspaceMessage spaceMessage,
      Bytes data,
      LibraryVersion low) {
    TextEncoding encoding = TextEncoding.of(name);
    int least = typeMessage instanceof SharedMessage ? 2 : 1;
    if (encoding != TextEncoding.ASCII) {
      least = 3;
    }
    return new AttributeMessage(
        Math.max(least, low.attribute()), encoding, name, typeMessage, spaceMessage, data);
  }

  @Override
  public int typeCode() {
    return MessageType.ATTRIBUTE.code();
  }

  /**
   * {@return whether the type or the space is stored elsewhere, so that {@link #resolve} is needed
   * before they are used}
   */
  public boolean hasSharedParts() {
    return typeMessage instanceof SharedMessage || spaceMessage instanceof SharedMessage;
  }

  /**
   * {@return the type}
   *
   * @throws InvalidUseException if it is shared and was not resolved
   */
  public Datatype datatype() {
    if (typeMessage instanceof DatatypeMessage own) {
      return own.type();
    }
    throw unresolved("datatype");
  }

  /**
   * {@return the extent}
   *
   * @throws InvalidUseException if it is shared and was not resolved
   */
  public Dataspace dataspace() {
    if (spaceMessage instanceof DataspaceMessage own) {
      return own.space();
    }
    throw unresolved("dataspace");
  }

  private InvalidUseException unresolved(String part) {
    return new InvalidUseException(
        part + " of attribute: actual=shared, expected=resolved, at=" + name + "; call resolve");
  }

  /**
   * {@return this attribute with other data}
   *
   * @param newData the new raw data
   */
  public AttributeMessage withData(Bytes newData) {
    return new AttributeMessage(version, encoding, name, typeMessage, spaceMessage, newData);
  }

  /**
   * {@return this attribute with another name, in a version that can express it} The name's
   * character set is kept unless it cannot encode the name.
   *
   * @param newName the new name
   */
  public AttributeMessage withName(String newName) {
    TextEncoding newEncoding = encoding == TextEncoding.UTF_8 ? encoding : TextEncoding.of(newName);
    int newVersion = newEncoding == TextEncoding.ASCII ? version : 3;
    return new AttributeMessage(newVersion, newEncoding, newName, typeMessage, spaceMessage, data);
  }

  /**
   * {@return this attribute with its own type and space, and with data cut to their size} The
   * result is for reading: encoding it would store the shared parts with the attribute.
   *
   * @param resolver finds messages that are stored elsewhere
   * @param at a reader at the message, for errors
   * @throws org.hyperslab.error.CorruptFileException if there are fewer bytes of data than type and
   *     space require
   */
  public AttributeMessage resolve(SharedMessageResolver resolver, MetadataReader at) {
    if (!hasSharedParts()) {
      return this;
    }
    Message type = resolve(resolver, typeMessage);
    Message space = resolve(resolver, spaceMessage);
    if (!(type instanceof DatatypeMessage ownType) || !(space instanceof DataspaceMessage own)) {
      throw at.corrupt(
          "shared type or dataspace of attribute " + name + " is " + type + " and " + space);
    }
    long size = dataSize(at, ownType.type(), own.space());
    if (size > data.size()) {
      throw at.corrupt("data actual=" + data.size() + " bytes, expected=" + size);
    }
    return new AttributeMessage(version, encoding, name, type, space, data.first((int) size));
  }

  private static Message resolve(SharedMessageResolver resolver, Message part) {
    return part instanceof SharedMessage shared
        ? resolver.resolve(shared.typeCode(), shared.pointer())
        : part;
  }

  private static long dataSize(MetadataReader at, Datatype type, Dataspace space) {
    long count = space.elementCount();
    if (Math.multiplyHigh(count, type.size()) != 0 || count * type.size() < 0) {
      throw at.corrupt("elements actual=" + count + " of " + type.size() + " bytes");
    }
    return count * type.size();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static AttributeMessage decode(MetadataReader reader) {
    int version = reader.u8();
    if (version < 1 || version > 3) {
      throw new UnsupportedFeatureException(
          "attribute message version: actual="
              + version
              + ", expected=1..3, at="
              + reader.geometry().file());
    }
    int flags = reader.u8();
    if (version == 1) {
      flags = 0;
    } else if ((flags & ~(TYPE_SHARED | SPACE_SHARED)) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..3");
    }
    int nameSize = reader.u16();
    int typeSize = reader.u16();
    int spaceSize = reader.u16();
    TextEncoding encoding = version == 3 ? TextEncoding.decode(reader) : TextEncoding.ASCII;
    MetadataReader nameReader = part(reader, version, nameSize, "attribute name");
    String name = nameReader.text(nameSize);
    MetadataReader typeReader = part(reader, version, typeSize, "attribute datatype");
    Message type =
        (flags & TYPE_SHARED) != 0
            ? SharedMessage.decode(MessageType.DATATYPE.code(), typeReader)
            : DatatypeMessage.decode(typeReader);
    MetadataReader spaceReader = part(reader, version, spaceSize, "attribute dataspace");
    Message space =
        (flags & SPACE_SHARED) != 0
            ? SharedMessage.decode(MessageType.DATASPACE.code(), spaceReader)
            : DataspaceMessage.decode(spaceReader);
    return new AttributeMessage(version, encoding, name, type, space, data(reader, type, space));
  }

  private static Bytes data(MetadataReader reader, Message type, Message space) {
    if (type instanceof DatatypeMessage ownType && space instanceof DataspaceMessage ownSpace) {
      long size = dataSize(reader, ownType.type(), ownSpace.space());
      if (size > reader.remaining()) {
        throw reader.corrupt("data size actual=" + reader.remaining() + ", expected=" + size);
      }
      return Bytes.read(reader, (int) size);
    }
    return Bytes.read(reader, reader.remaining());
  }

  private static MetadataReader part(MetadataReader reader, int version, int size, String what) {
    MetadataReader part = reader.slice(size, what);
    if (version == 1) {
      reader.skip(Math.min(padding(size), reader.remaining()));
    }
    return part;
  }

  private static int padding(int size) {
    return -size & 7;
  }

  @Override
  public void encode(MetadataWriter writer) {
    byte[] nameBytes = NameBytes.encode(name);
    byte[] type = encoded(writer, typeMessage);
    byte[] space = encoded(writer, spaceMessage);
    boolean typeShared = typeMessage instanceof SharedMessage;
    boolean spaceShared = spaceMessage instanceof SharedMessage;
    writer
        .u8(version)
        .u8((typeShared ? TYPE_SHARED : 0) | (spaceShared ? SPACE_SHARED : 0))
        .u16(bounded("name", nameBytes.length + 1))
        .u16(bounded("datatype", type.length))
        .u16(bounded("dataspace", space.length));
    if (version == 3) {
      writer.u8(encoding.code());
    }
    writer.bytes(nameBytes).u8(0);
    pad(writer, nameBytes.length + 1);
    pad(writer.bytes(type), type.length);
    pad(writer.bytes(space), space.length);
    data.writeTo(writer);
  }

  private static byte[] encoded(MetadataWriter writer, Message part) {
    MetadataWriter own = new MetadataWriter(writer.geometry(), 64);
    part.encode(own);
    return own.toByteArray();
  }

  private void pad(MetadataWriter writer, int size) {
    if (version == 1) {
      writer.zeros(padding(size));
    }
  }

  private int bounded(String part, int size) {
    if (size > MAXIMUM_PART_BYTES) {
      throw new InvalidUseException(
          "attribute " + part + ": actual=" + size + " bytes, expected=at most 65535, at=" + name);
    }
    return size;
  }
}
