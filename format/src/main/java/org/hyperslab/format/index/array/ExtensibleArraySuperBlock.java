package org.hyperslab.format.index.array;

import java.util.Arrays;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * A super block of an extensible array: the addresses of its data blocks and, if they are paged, a
 * bitmap of the pages that have been written.
 *
 * <pre>
 *   signature "EASB"         4
 *   version 0                1
 *   client                   1
 *   header address           size of offsets
 *   block offset             (maximum bits + 7) / 8
 *   page bitmaps             data blocks × ((pages + 7) / 8)    only if paged
 *   data block addresses     data blocks × size of offsets
 *   checksum                 4
 * </pre>
 *
 * <p>The bit of page <i>p</i> in data block <i>d</i> is number <i>d</i> × pages + <i>p</i> of the
 * whole bitmap, although the bitmap's size is rounded up for each data block.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index";
 * H5EAcache.c, H5EA.c.
 *
 * @param shape the arithmetic of the array
 * @param index the number of the super block
 * @param headerAddress the address of the header
 * @param pageBitmap the bitmap of written pages; empty if not paged; edited in place
 * @param dataBlocks the addresses of data blocks, undefined if there is no block yet; edited in
 *     place
 * @param encodedSize the size in the file in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ExtensibleArraySuperBlock(
    ExtensibleArrayShape shape,
    int index,
    long headerAddress,
    byte[] pageBitmap,
    long[] dataBlocks,
    long encodedSize)
    implements MetadataBlock {

  public static final String STRUCTURE = "extensible array super block";
  private static final String SIGNATURE = "EASB";

  /** Returns the size of the super block in bytes. */
  public static long bytes(MetadataSpace space, ExtensibleArrayShape shape, int index) {
    FileGeometry geometry = space.geometry();
    long prefix = 4L + 2 + geometry.sizeOfOffsets() + shape.offsetBytes() + 4;
    long each = geometry.sizeOfOffsets() + (shape.pages(index) + 7) / 8;
    return ChunkChecks.size(space, STRUCTURE, shape.dataBlocks(index), each, prefix);
  }

  /** Returns a new super block, whose elements are not allocated. */
  public static ExtensibleArraySuperBlock unwritten(
      MetadataSpace space, ExtensibleArrayShape shape, int index, long headerAddress) {
    long bytes = bytes(space, shape, index);
    long[] dataBlocks = new long[(int) shape.dataBlocks(index)];
    Arrays.fill(dataBlocks, FileGeometry.UNDEFINED);
    byte[] bitmap = new byte[(int) shape.bitmapBytes(index)];
    return new ExtensibleArraySuperBlock(shape, index, headerAddress, bitmap, dataBlocks, bytes);
  }

  /** Decodes a stored super block. */
  public static ExtensibleArraySuperBlock decode(
      ExtensibleArrayShape shape, int index, long headerAddress, MetadataReader reader) {
    long bytes = reader.remaining();
    ExtensibleArrayIndexBlock.prefix(reader, SIGNATURE, shape, headerAddress);
    reader.skip(shape.offsetBytes());
    byte[] bitmap = reader.bytes((int) shape.bitmapBytes(index));
    long[] dataBlocks = ExtensibleArrayIndexBlock.addresses(reader, (int) shape.dataBlocks(index));
    reader.checksum();
    return new ExtensibleArraySuperBlock(shape, index, headerAddress, bitmap, dataBlocks, bytes);
  }

  @Override
  public int publicationOrder() {
    return 2;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer
        .signature(SIGNATURE)
        .u8(0)
        .u8(shape.format().client())
        .offset(headerAddress)
        .unsigned(shape.superBlockStart(index), shape.offsetBytes())
        .bytes(pageBitmap);
    for (long address : dataBlocks) {
      writer.offset(address);
    }
    writer.checksumFrom(start);
  }

  /** Returns whether a page of a data block has been written. */
  public boolean hasPage(int dataBlock, long page) {
    return ArrayPage.bit(pageBitmap, dataBlock * shape.pages(index) + page);
  }

  /** Records that a page of a data block has been written. */
  public void addPage(int dataBlock, long page) {
    ArrayPage.setBit(pageBitmap, dataBlock * shape.pages(index) + page);
  }
}
