package org.hyperslab.format.index.array;

import java.util.Arrays;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The index block of an extensible array: the first elements, and the addresses of the first data
 * blocks and of all super blocks.
 *
 * <pre>
 *   signature "EAIB"         4
 *   version 0                1
 *   client                   1
 *   header address           size of offsets
 *   elements                 index block elements × element size
 *   data block addresses     2 × (least pointers − 1) × size of offsets
 *   super block addresses    (super blocks − those without a block) × size of offsets
 *   checksum                 4
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index";
 * H5EAcache.c.
 *
 * @param shape the arithmetic of the array
 * @param headerAddress the address of the header
 * @param elements the first elements
 * @param dataBlocks the addresses of data blocks, undefined if there is no block yet; edited in
 *     place
 * @param superBlocks the addresses of super blocks, likewise
 * @param encodedSize the size in the file in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ExtensibleArrayIndexBlock(
    ExtensibleArrayShape shape,
    long headerAddress,
    ChunkElements elements,
    long[] dataBlocks,
    long[] superBlocks,
    long encodedSize)
    implements MetadataBlock {

  public static final String STRUCTURE = "extensible array index block";
  private static final String SIGNATURE = "EAIB";

  /** Returns the size of the index block in bytes. */
  public static long bytes(FileGeometry geometry, ExtensibleArrayShape shape) {
    long addresses = 1L + shape.indexBlockDataBlocks() + shape.indexBlockSuperBlocks();
    long elements = (long) shape.spec().indexBlockElements() * shape.format().elementBytes();
    return 4L + 2 + addresses * geometry.sizeOfOffsets() + elements + 4;
  }

  /** Returns a new index block, whose elements are not allocated. */
  public static ExtensibleArrayIndexBlock unwritten(
      FileGeometry geometry, ExtensibleArrayShape shape, long headerAddress) {
    long[] dataBlocks = new long[shape.indexBlockDataBlocks()];
    long[] superBlocks = new long[shape.indexBlockSuperBlocks()];
    Arrays.fill(dataBlocks, FileGeometry.UNDEFINED);
    Arrays.fill(superBlocks, FileGeometry.UNDEFINED);
    return new ExtensibleArrayIndexBlock(
        shape,
        headerAddress,
        ChunkElements.unwritten(shape.format(), shape.spec().indexBlockElements()),
        dataBlocks,
        superBlocks,
        bytes(geometry, shape));
  }

  /** Decodes a stored index block. */
  public static ExtensibleArrayIndexBlock decode(
      ExtensibleArrayShape shape, long headerAddress, MetadataReader reader) {
    long bytes = reader.remaining();
    prefix(reader, SIGNATURE, shape, headerAddress);
    ChunkElements elements =
        ChunkElements.decode(shape.format(), reader, shape.spec().indexBlockElements());
    long[] dataBlocks = addresses(reader, shape.indexBlockDataBlocks());
    long[] superBlocks = addresses(reader, shape.indexBlockSuperBlocks());
    reader.checksum();
    return new ExtensibleArrayIndexBlock(
        shape, headerAddress, elements, dataBlocks, superBlocks, bytes);
  }

  /** Reads the fields with which all blocks of an array except its header begin. */
  static void prefix(
      MetadataReader reader, String signature, ExtensibleArrayShape shape, long headerAddress) {
    reader.signature(signature);
    reader.expectU8("version", 0);
    reader.expectU8("client", shape.format().client());
    long owner = reader.offset();
    if (owner != headerAddress) {
      throw reader.corrupt("header address actual=" + owner + ", expected=" + headerAddress);
    }
  }

  /** Reads {@code count} addresses of blocks. */
  static long[] addresses(MetadataReader reader, int count) {
    long[] addresses = new long[count];
    for (int i = 0; i < count; i++) {
      addresses[i] = reader.offset();
      if (!ChunkChecks.plausible(reader.geometry(), addresses[i])) {
        throw reader.corrupt("block address actual=" + Long.toUnsignedString(addresses[i]));
      }
    }
    return addresses;
  }

  @Override
  public int publicationOrder() {
    return 3;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(0).u8(shape.format().client()).offset(headerAddress);
    elements.encode(writer);
    for (long address : dataBlocks) {
      writer.offset(address);
    }
    for (long address : superBlocks) {
      writer.offset(address);
    }
    writer.checksumFrom(start);
  }
}
