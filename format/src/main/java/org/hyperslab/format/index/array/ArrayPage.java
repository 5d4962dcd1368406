package org.hyperslab.format.index.array;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * A page of a paged data block, in a fixed or an extensible array: elements and a checksum, without
 * a signature. Pages follow the data block's prefix; a bitmap elsewhere records which of them have
 * been initialized.
 *
 * <pre>
 *   elements   count × element size
 *   checksum   4
 * </pre>
 *
 * @param elements the page's elements
 * @param encodedSize the size in the file in bytes
 */
public record ArrayPage(ChunkElements elements, long encodedSize) implements MetadataBlock {

  private static final int CHECKSUM_BYTES = 4;

  /** Returns the size of a page of {@code count} elements, in bytes. */
  public static long bytes(ChunkElementFormat format, long count) {
    return count * format.elementBytes() + CHECKSUM_BYTES;
  }

  /** Returns a new page, whose elements are not allocated. */
  public static ArrayPage unwritten(ChunkElementFormat format, int count) {
    return new ArrayPage(ChunkElements.unwritten(format, count), bytes(format, count));
  }

  static ArrayPage decode(ChunkElementFormat format, MetadataReader reader, int count) {
    ChunkElements elements = ChunkElements.decode(format, reader, count);
    reader.checksum();
    return new ArrayPage(elements, bytes(format, count));
  }

  /**
   * Returns the page at an address.
   *
   * @param structure the name of the structure, for errors
   * @throws org.hyperslab.error.CorruptFileException if another array has a page of other elements
   *     there
   */
  public static ArrayPage load(
      MetadataSpace space, String structure, long address, ChunkElementFormat format, int count) {
    ArrayPage page =
        space.load(
            address,
            bytes(format, count),
            structure,
            ArrayPage.class,
            reader -> decode(format, reader, count));
    ChunkChecks.own(space, structure, address, page.elements.are(format, count));
    return page;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    elements.encode(writer);
    writer.checksumFrom(start);
  }

  /**
   * Returns bit {@code index} of a page bitmap, whose bytes are numbered from their most
   * significant bit.
   */
  static boolean bit(byte[] bitmap, long index) {
    return (bitmap[(int) (index >>> 3)] & (0x80 >>> (index & 7))) != 0;
  }

  /** Sets bit {@code index} of a page bitmap. */
  static void setBit(byte[] bitmap, long index) {
    bitmap[(int) (index >>> 3)] |= (byte) (0x80 >>> (index & 7));
  }
}
