package org.hyperslab.format.index.array;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The data block of a fixed array: all elements, or, if it is paged, the bitmap of written pages,
 * followed by the {@linkplain ArrayPage pages} as blocks of their own.
 *
 * <pre>
 *   signature "FADB"     4
 *   version 0            1
 *   client               1
 *   header address       size of offsets
 *   page bitmap          (pages + 7) / 8     only if paged
 *   elements             all of them         only if not paged
 *   checksum             4
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.C "Fixed Array Index"; H5FAcache.c.
 */
public final class FixedArrayDataBlock implements MetadataBlock {

  public static final String STRUCTURE = "fixed array data block";
  private static final String SIGNATURE = "FADB";

  private final ChunkElementFormat format;
  private final long headerAddress;
  private final long encodedSize;
  private final ChunkElements elements;
  private final byte[] pageBitmap;

  private FixedArrayDataBlock(
      FixedArrayHeader header, long headerAddress, long encodedSize, ChunkElements elements) {
    this(header, headerAddress, encodedSize, elements, null);
  }

  private FixedArrayDataBlock(
      FixedArrayHeader header,
      long headerAddress,
      long encodedSize,
      ChunkElements elements,
      byte[] pageBitmap) {
    this.format = header.format();
    this.headerAddress = headerAddress;
    this.encodedSize = encodedSize;
    this.elements = elements;
    this.pageBitmap = pageBitmap;
  }

  /** Returns the size of the block in bytes, without its pages. */
  public static long bytes(MetadataSpace space, FixedArrayHeader header) {
    FileGeometry geometry = space.geometry();
    long rest = 4L + 2 + geometry.sizeOfOffsets() + 4;
    long pageBytes = ArrayPage.bytes(header.format(), header.pageElements());
    if (header.pages() > (Long.MAX_VALUE >> 1) / pageBytes) {
      throw ChunkChecks.corrupt(
          space,
          STRUCTURE,
          header.dataBlockAddress(),
          "pages actual=" + header.pages() + " of " + pageBytes + " bytes, expected=below 2^62");
    }
    return header.isPaged()
        ? ChunkChecks.size(space, STRUCTURE, (header.pages() + 7) / 8, 1, rest)
        : ChunkChecks.size(space, STRUCTURE, header.count(), header.format().elementBytes(), rest);
  }

  /** Returns the size of the block in bytes, with its pages. */
  public static long bytesWithPages(MetadataSpace space, FixedArrayHeader header) {
    long prefix = bytes(space, header);
    if (!header.isPaged()) {
      return prefix;
    }
    long last = header.pages() - 1;
    long lastBytes = ArrayPage.bytes(header.format(), header.elementsIn(last));
    return Math.addExact(header.pageOffset(last, prefix), lastBytes);
  }

  /** Returns a new data block, whose elements are not allocated. */
  public static FixedArrayDataBlock unwritten(
      MetadataSpace space, FixedArrayHeader header, long headerAddress) {
    long bytes = bytes(space, header);
    if (header.isPaged()) {
      byte[] bitmap = new byte[(int) ((header.pages() + 7) / 8)];
      return new FixedArrayDataBlock(header, headerAddress, bytes, null, bitmap);
    }
    ChunkElements elements = ChunkElements.unwritten(header.format(), (int) header.count());
    return new FixedArrayDataBlock(header, headerAddress, bytes, elements);
  }

  /** Decodes a stored data block. */
  public static FixedArrayDataBlock decode(
      FixedArrayHeader header, long headerAddress, MetadataReader reader) {
    int bytes = reader.remaining();
    reader.signature(SIGNATURE);
    reader.expectU8("version", 0);
    reader.expectU8("client", header.format().client());
    long owner = reader.offset();
    if (owner != headerAddress) {
      throw reader.corrupt("header address actual=" + owner + ", expected=" + headerAddress);
    }
    byte[] bitmap = header.isPaged() ? reader.bytes((int) ((header.pages() + 7) / 8)) : null;
    ChunkElements elements =
        header.isPaged()
            ? null
            : ChunkElements.decode(header.format(), reader, (int) header.count());
    reader.checksum();
    return new FixedArrayDataBlock(header, headerAddress, bytes, elements, bitmap);
  }

  @Override
  public long encodedSize() {
    return encodedSize;
  }

  @Override
  public int publicationOrder() {
    return 1;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature(SIGNATURE).u8(0).u8(format.client()).offset(headerAddress);
    if (pageBitmap != null) {
      writer.bytes(pageBitmap);
    } else {
      elements.encode(writer);
    }
    writer.checksumFrom(start);
  }

  /** Returns whether this block belongs to the array whose header is at an address. */
  public boolean isOf(long header, ChunkElementFormat elementFormat) {
    return headerAddress == header && format.equals(elementFormat);
  }

  /** Returns the elements; null if the block is paged. */
  public ChunkElements elements() {
    return elements;
  }

  /** Returns whether a page of a paged block has been written. */
  public boolean hasPage(long page) {
    return ArrayPage.bit(pageBitmap, page);
  }

  /** Records that a page has been written. */
  public void addPage(long page) {
    ArrayPage.setBit(pageBitmap, page);
  }
}
