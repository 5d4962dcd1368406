package org.hyperslab.format.index.array;

import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The header of a fixed array.
 *
 * <pre>
 *   signature "FAHD"            4
 *   version 0                   1
 *   client                      1    0 without filters, 1 with
 *   element size                1
 *   page bits                   1
 *   number of elements          size of lengths
 *   data block address          size of offsets
 *   checksum                    4
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.C "Fixed Array Index"; H5FAcache.c.
 */
public final class FixedArrayHeader implements MetadataBlock {

  public static final String STRUCTURE = "fixed array header";
  private static final String SIGNATURE = "FAHD";

  private final FileGeometry geometry;
  private final ChunkElementFormat format;
  private final int pageBits;
  private final long count;
  private long dataBlockAddress;

  public FixedArrayHeader(
      FileGeometry geometry,
      ChunkElementFormat format,
      int pageBits,
      long count,
      long dataBlockAddress) {
    this.geometry = geometry;
    this.format = format;
    this.pageBits = pageBits;
    this.count = count;
    this.dataBlockAddress = dataBlockAddress;
  }

  /** Returns the size of the header in bytes. */
  public static long bytes(FileGeometry geometry) {
    return 4L + 4 + geometry.sizeOfLengths() + geometry.sizeOfOffsets() + 4;
  }

  /** Decodes a stored header. */
  public static FixedArrayHeader decode(
      MetadataSpace space, ChunkGrid grid, MetadataReader reader) {
    reader.signature(SIGNATURE);
    reader.expectU8("version", 0);
    int client = reader.u8();
    ChunkElementFormat format =
        ChunkElementFormat.ofHeader(space, grid, STRUCTURE, client, reader.u8());
    int pageBits = reader.u8();
    if (pageBits < 1 || pageBits > 30) {
      throw reader.corrupt("page bits actual=" + pageBits + ", expected=1..30");
    }
    long count = reader.length();
    if (count < 1) {
      throw reader.corrupt("number of elements actual=" + Long.toUnsignedString(count));
    }
    long address = reader.offset();
    if (!ChunkChecks.plausible(reader.geometry(), address)) {
      throw reader.corrupt("data block address actual=" + Long.toUnsignedString(address));
    }
    reader.checksum();
    return new FixedArrayHeader(space.geometry(), format, pageBits, count, address);
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
    writer
        .signature(SIGNATURE)
        .u8(0)
        .u8(format.client())
        .u8(format.elementBytes())
        .u8(pageBits)
        .length(count)
        .offset(dataBlockAddress)
        .checksumFrom(start);
  }

  /** Returns the form of an element. */
  public ChunkElementFormat format() {
    return format;
  }

  /** Returns the number of elements. */
  public long count() {
    return count;
  }

  /** Returns the address of the data block; undefined before it is made. */
  public long dataBlockAddress() {
    return dataBlockAddress;
  }

  /** Sets the address of the data block. */
  public void dataBlockAddress(long address) {
    dataBlockAddress = address;
  }

  /** Returns the number of elements in every page except the last, which may be shorter. */
  public int pageElements() {
    return 1 << pageBits;
  }

  /** Returns whether the data block is a prefix followed by pages. */
  public boolean isPaged() {
    return count > pageElements();
  }

  /** Returns the number of pages of the data block; 0 if it is not paged. */
  public long pages() {
    return isPaged() ? (count - 1) / pageElements() + 1 : 0;
  }

  /** Returns the number of elements in one page. */
  public int elementsIn(long page) {
    return (int) Math.min(pageElements(), count - page * pageElements());
  }

  /** Returns the offset of a page from the start of the data block, in bytes. */
  public long pageOffset(long page, long prefixBytes) {
    return prefixBytes + page * ArrayPage.bytes(format, pageElements());
  }
}
