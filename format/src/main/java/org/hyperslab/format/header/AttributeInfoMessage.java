package org.hyperslab.format.header;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The attribute info message, which describes how an object with a version 2 header stores its
 * attributes.
 *
 * <pre>
 *   1  version, 0
 *   1  flags: bit 0 creation order tracked, bit 1 indexed
 *   2  greatest creation index so far, plus one   (if tracked)
 *   O  fractal heap
 *   O  B-tree (version 2) of names
 *   O  B-tree (version 2) of creation order       (if indexed)
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.v; reference {@code H5Oainfo.c}.
 *
 * @param tracked whether attributes have a creation index
 * @param indexed whether dense storage has an index by creation order
 * @param nextCreationIndex the creation index of the next attribute, 0 to 65,535; 0 if not tracked
 * @param heapAddress the fractal heap of dense storage; {@link FileGeometry#UNDEFINED} when compact
 * @param nameIndexAddress the index by name of dense storage, likewise
 * @param creationIndexAddress the index by creation order of dense storage, likewise
 */
public record AttributeInfoMessage(
    boolean tracked,
    boolean indexed,
    int nextCreationIndex,
    long heapAddress,
    long nameIndexAddress,
    long creationIndexAddress)
    implements Message {

  private static final int TRACKED = 1;
  private static final int INDEXED = 2;

  /**
   * {@return the message of an object whose attributes are compact}
   *
   * @param tracked whether creation order is tracked
   * @param indexed whether creation order is indexed
   */
  public static AttributeInfoMessage compact(boolean tracked, boolean indexed) {
    return new AttributeInfoMessage(
        tracked,
        indexed,
        0,
        FileGeometry.UNDEFINED,
        FileGeometry.UNDEFINED,
        FileGeometry.UNDEFINED);
  }

  /** {@return whether attributes are in a fractal heap} */
  public boolean isDense() {
    return heapAddress != FileGeometry.UNDEFINED;
  }

  @Override
  public int typeCode() {
    return MessageType.ATTRIBUTE_INFO.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static AttributeInfoMessage decode(MetadataReader reader) {
    reader.expectU8("version", 0);
    int flags = reader.u8();
    if ((flags & ~(TRACKED | INDEXED)) != 0) {
      throw reader.corrupt("flags actual=0x" + Integer.toHexString(flags) + ", expected=0..3");
    }
    boolean tracked = (flags & TRACKED) != 0;
    boolean indexed = (flags & INDEXED) != 0;
    int next = tracked ? reader.u16() : 0;
    long heap = reader.offset();
    long names = reader.offset();
    long order = indexed ? reader.offset() : FileGeometry.UNDEFINED;
    return new AttributeInfoMessage(tracked, indexed, next, heap, names, order);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(0).u8((tracked ? TRACKED : 0) | (indexed ? INDEXED : 0));
    if (tracked) {
      writer.u16(nextCreationIndex);
    }
    writer.offset(heapAddress).offset(nameIndexAddress);
    if (indexed) {
      writer.offset(creationIndexAddress);
    }
  }
}
