package org.hyperslab.format.index.array;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * A data block of an extensible array: its elements, or, if it is paged, only the prefix that
 * precedes the {@linkplain ArrayPage pages}, which are blocks of their own.
 *
 * <pre>
 *   signature "EADB"     4
 *   version 0            1
 *   client               1
 *   header address       size of offsets
 *   block offset         (maximum bits + 7) / 8
 *   elements             all of them             only if not paged
 *   checksum             4
 * </pre>
 *
 * <p>The block offset is kept as read, and written as the C library computes it: the start of the
 * super block plus block number times elements, where in the index block the number counts all its
 * data blocks. No implementation checks it.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index";
 * H5EAcache.c.
 *
 * @param shape the arithmetic of the array
 * @param headerAddress the address of the header
 * @param blockOffset the offset in the array, in elements
 * @param elements the elements; null if paged
 * @param encodedSize the size in the file in bytes, without pages
 */
public record ExtensibleArrayDataBlock(
    ExtensibleArrayShape shape,
    long headerAddress,
    long blockOffset,
    ChunkElements elements,
    long encodedSize)
    implements MetadataBlock {

  public static final String STRUCTURE = "extensible array data block";
  private static final String SIGNATURE = "EADB";

  /** Returns the size of a data block of super block {@code index} in bytes, without pages. */
  public static long bytes(MetadataSpace space, ExtensibleArrayShape shape, int index) {
    long prefix = 4L + 2 + space.geometry().sizeOfOffsets() + shape.offsetBytes() + 4;
    long elements = shape.pages(index) > 0 ? 0 : shape.blockElements(index);
    int each = shape.format().elementBytes();
    return ChunkChecks.size(space, STRUCTURE, elements, each, prefix);
  }

  /** Returns the size of a data block of super block {@code index} in bytes, with its pages. */
  public static long bytesWithPages(MetadataSpace space, ExtensibleArrayShape shape, int index) {
    long page = ArrayPage.bytes(shape.format(), shape.pageElements());
    return Math.addExact(bytes(space, shape, index), Math.multiplyExact(shape.pages(index), page));
  }

  /** Returns a new data block, whose elements are not allocated. */
  public static ExtensibleArrayDataBlock unwritten(
      MetadataSpace space,
      ExtensibleArrayShape shape,
      int index,
      long headerAddress,
      long blockOffset) {
    ChunkElements elements =
        shape.pages(index) > 0
            ? null
            : ChunkElements.unwritten(shape.format(), (int) shape.blockElements(index));
    long offset = blockOffset & (-1L >>> (64 - 8 * shape.offsetBytes()));
    return new ExtensibleArrayDataBlock(
        shape, headerAddress, offset, elements, bytes(space, shape, index));
  }

  /** Decodes a stored data block. */
  public static ExtensibleArrayDataBlock decode(
      ExtensibleArrayShape shape, int index, long headerAddress, MetadataReader reader) {
    long bytes = reader.remaining();
    ExtensibleArrayIndexBlock.prefix(reader, SIGNATURE, shape, headerAddress);
    long offset = reader.unsigned(shape.offsetBytes());
    ChunkElements elements =
        shape.pages(index) > 0
            ? null
            : ChunkElements.decode(shape.format(), reader, (int) shape.blockElements(index));
    reader.checksum();
    return new ExtensibleArrayDataBlock(shape, headerAddress, offset, elements, bytes);
  }

  @Override
  public int publicationOrder() {
    return 1;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer
        .signature(SIGNATURE)
        .u8(0)
        .u8(shape.format().client())
        .offset(headerAddress)
        .unsigned(blockOffset, shape.offsetBytes());
    if (elements != null) {
      elements.encode(writer);
    }
    writer.checksumFrom(start);
  }
}
