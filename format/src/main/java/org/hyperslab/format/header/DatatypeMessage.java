package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.DatatypeCodec;

/**
 * The datatype message: the type of a dataset's elements, or a committed datatype.
 *
 * @param type the type, in the form of this file
 * @param version the version of its encoding, 1 to 5; a greater one is used where the type needs it
 */
public record DatatypeMessage(Datatype type, int version) implements Message {

  /**
   * {@return a type in the version for that generation, or the least above it that can express it}
   *
   * @param type the datatype
   * @param low the lower version bound
   */
  public static DatatypeMessage of(Datatype type, LibraryVersion low) {
    return new DatatypeMessage(type, Math.max(low.datatype(), DatatypeCodec.requiredVersion(type)));
  }

  @Override
  public int typeCode() {
    return MessageType.DATATYPE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static DatatypeMessage decode(MetadataReader reader) {
    int version = DatatypeCodec.peekVersion(reader);
    return new DatatypeMessage(DatatypeCodec.decodeInFile(reader), version);
  }

  @Override
  public void encode(MetadataWriter writer) {
    DatatypeCodec.encode(type, writer, version);
  }
}
