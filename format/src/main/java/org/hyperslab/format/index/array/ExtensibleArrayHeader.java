package org.hyperslab.format.index.array;

import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The header of an extensible array: its parameters, and counts of the blocks and elements created
 * so far.
 *
 * <pre>
 *   signature "EAHD"                       4
 *   version 0                              1
 *   client                                 1    0 without filters, 1 with
 *   element size                           1
 *   maximum bits                           1
 *   index block elements                   1
 *   least elements of a data block         1
 *   least data block pointers              1
 *   page bits                              1
 *   super blocks, their bytes              2 × size of lengths
 *   data blocks, their bytes               2 × size of lengths
 *   greatest index set, plus one           size of lengths
 *   elements that have space               size of lengths
 *   index block address                    size of offsets
 *   checksum                               4
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index";
 * H5EAcache.c.
 */
public final class ExtensibleArrayHeader implements MetadataBlock {

  public static final String STRUCTURE = "extensible array header";
  private static final String SIGNATURE = "EAHD";

  private final FileGeometry geometry;
  private final ExtensibleArrayShape shape;
  private long superBlocks;
  private long superBlockBytes;
  private long dataBlocks;
  private long dataBlockBytes;
  private long end;
  private long realizedElements;
  private long indexBlockAddress = FileGeometry.UNDEFINED;

  /** Creates the header of an empty array. */
  public ExtensibleArrayHeader(FileGeometry geometry, ExtensibleArrayShape shape) {
    this.geometry = geometry;
    this.shape = shape;
  }

  /** Returns the size of the header in bytes. */
  public static long bytes(FileGeometry geometry) {
    return 4L + 8 + 6L * geometry.sizeOfLengths() + geometry.sizeOfOffsets() + 4;
  }

  /** Decodes a stored header. */
  public static ExtensibleArrayHeader decode(
      MetadataSpace space, ChunkGrid grid, MetadataReader reader) {
    long address = reader.fileOffset();
    reader.signature(SIGNATURE);
    reader.expectU8("version", 0);
    int client = reader.u8();
    ChunkElementFormat format =
        ChunkElementFormat.ofHeader(space, grid, STRUCTURE, client, reader.u8());
    int maximumBits = reader.u8();
    int indexBlockElements = reader.u8();
    int minimumElements = reader.u8();
    int minimumPointers = reader.u8();
    int pageBits = reader.u8();
    ExtensibleArrayShape shape =
        new ExtensibleArrayShape(
            new ChunkIndexSpec.ExtensibleArray(
                maximumBits, indexBlockElements, minimumPointers, minimumElements, pageBits),
            format);
    shape.check(space, STRUCTURE, address);
    ExtensibleArrayHeader header = new ExtensibleArrayHeader(space.geometry(), shape);
    header.superBlocks = reader.length();
    header.superBlockBytes = reader.length();
    header.dataBlocks = reader.length();
    header.dataBlockBytes = reader.length();
    header.end = reader.length();
    header.realizedElements = reader.length();
    header.indexBlockAddress = reader.offset();
    if (!ChunkChecks.plausible(reader.geometry(), header.indexBlockAddress)) {
      throw reader.corrupt("index block address actual=" + header.indexBlockAddress);
    }
    if (header.end < 0 || header.end > shape.capacity()) {
      throw reader.corrupt(
          "greatest index actual=" + header.end + ", expected=0.." + shape.capacity());
    }
    reader.checksum();
    return header;
  }

  @Override
  public long encodedSize() {
    return bytes(geometry);
  }

  @Override
  public int publicationOrder() {
    return 4;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    ChunkIndexSpec.ExtensibleArray spec = shape.spec();
    writer
        .signature(SIGNATURE)
        .u8(0)
        .u8(shape.format().client())
        .u8(shape.format().elementBytes())
        .u8(spec.maximumBits())
        .u8(spec.indexBlockElements())
        .u8(spec.minimumElements())
        .u8(spec.minimumPointers())
        .u8(spec.pageBits())
        .length(superBlocks)
        .length(superBlockBytes)
        .length(dataBlocks)
        .length(dataBlockBytes)
        .length(end)
        .length(realizedElements)
        .offset(indexBlockAddress)
        .checksumFrom(start);
  }

  /** Returns how the elements are divided into blocks. */
  public ExtensibleArrayShape shape() {
    return shape;
  }

  /** Returns the address of the index block; undefined before it is made. */
  public long indexBlockAddress() {
    return indexBlockAddress;
  }

  /** Records the address of the index block that was made. */
  public void indexBlockMade(long address) {
    indexBlockAddress = address;
    realizedElements += shape.spec().indexBlockElements();
  }

  /** Counts a super block that was made. */
  public void superBlockMade(long bytes) {
    superBlocks++;
    superBlockBytes += bytes;
  }

  /** Counts a data block that was made, and its elements. */
  public void dataBlockMade(long bytes, long elements) {
    dataBlocks++;
    dataBlockBytes += bytes;
    realizedElements += elements;
  }

  /** Returns the index after that of the greatest element ever set. */
  public long end() {
    return end;
  }

  /** Sets the index after that of the greatest element ever set. */
  public void end(long newEnd) {
    end = newEnd;
  }

  /** Returns the size of all super blocks and data blocks in bytes, as counted in the header. */
  public long blockBytes() {
    return superBlockBytes + dataBlockBytes;
  }
}
