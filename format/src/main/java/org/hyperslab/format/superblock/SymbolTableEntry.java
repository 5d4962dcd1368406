package org.hyperslab.format.superblock;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * An entry of a symbol table node, and the root group's entry in a superblock of version 0 or 1.
 *
 * <pre>
 *   link name offset   size of lengths   in the group's local heap data segment, bytes
 *   header address     size of offsets   undefined for a soft link
 *   cache type         4                 0 nothing, 1 group, 2 soft link
 *   reserved           4
 *   scratch pad        16                as the cache type says
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, III.C "Symbol Table Entry"; {@code H5Gent.c}, because
 * the specification wrongly states that the name's offset has the size of an address.
 *
 * @param nameOffset the offset of the link's name in the local heap's data segment, in bytes
 * @param headerAddress the address of the object header; {@link FileGeometry#UNDEFINED} for a soft
 *     link
 * @param cache the part of the object's header that is repeated here, so that the header need not
 *     be read
 */
public record SymbolTableEntry(long nameOffset, long headerAddress, Cache cache) {

  private static final int NOTHING = 0;
  private static final int GROUP = 1;
  private static final int SOFT_LINK = 2;
  private static final int SCRATCH_BYTES = 16;

  /** The content of an entry's scratch pad. */
  public sealed interface Cache {}

  /** An unused scratch pad. */
  public record Nothing() implements Cache {}

  /**
   * A group with a symbol table, whose addresses are repeated here.
   *
   * @param btreeAddress the group's version 1 B-tree
   * @param heapAddress the group's local heap
   */
  public record CachedGroup(long btreeAddress, long heapAddress) implements Cache {}

  /**
   * A soft link.
   *
   * @param valueOffset the offset of the path in the local heap's data segment, in bytes
   */
  public record SoftLink(long valueOffset) implements Cache {}

  /**
   * {@return an entry for an object without cached information}
   *
   * @param nameOffset the offset of the name in the local heap
   * @param headerAddress the address of the object header
   */
  public static SymbolTableEntry object(long nameOffset, long headerAddress) {
    return new SymbolTableEntry(nameOffset, headerAddress, new Nothing());
  }

  /**
   * {@return the size of an entry in bytes, in a file with the given geometry}
   *
   * @param geometry the sizes of offsets and lengths in the file
   */
  public static int encodedSize(FileGeometry geometry) {
    return geometry.sizeOfLengths() + geometry.sizeOfOffsets() + 8 + SCRATCH_BYTES;
  }

  /** {@return whether the cache of this entry refers to the path of a soft link} */
  public boolean isSoftLink() {
    return cache instanceof SoftLink;
  }

  /**
   * Decodes an entry.
   *
   * @param reader reads the bytes, from its position
   * @return the entry
   * @throws org.hyperslab.error.CorruptFileException if the cache type is unknown or bytes are
   *     missing
   */
  public static SymbolTableEntry decode(MetadataReader reader) {
    long name = reader.length();
    long header = reader.offset();
    long type = reader.u32();
    reader.skip(4);
    MetadataReader scratch = reader.slice(SCRATCH_BYTES, "symbol table entry scratch pad");
    if (type > SOFT_LINK) {
      throw reader.corrupt("symbol table entry cache type actual=" + type + ", expected=0..2");
    }
    Cache cache =
        switch ((int) type) {
          case GROUP -> new CachedGroup(scratch.offset(), scratch.offset());
          case SOFT_LINK -> new SoftLink(scratch.u32());
          default -> new Nothing();
        };
    return new SymbolTableEntry(name, header, cache);
  }

  /**
   * Encodes the entry.
   *
   * @param writer receives the bytes, at its position
   */
  public void encode(MetadataWriter writer) {
    writer.length(nameOffset).offset(headerAddress);
    int scratch = writer.position() + 8;
    switch (cache) {
      case Nothing _ -> writer.u32(NOTHING).u32(0);
      case CachedGroup group ->
          writer.u32(GROUP).u32(0).offset(group.btreeAddress).offset(group.heapAddress);
      case SoftLink link -> writer.u32(SOFT_LINK).u32(0).u32(link.valueOffset);
    }
    writer.zerosTo(scratch + SCRATCH_BYTES);
  }
}
