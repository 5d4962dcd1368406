package org.hyperslab.format.heap;

import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The block at a local heap's address.
 *
 * <pre>
 *   4  signature HEAP
 *   1  version, 0
 *   3  reserved
 *   L  size of the data segment
 *   L  offset of the first free block in it; 1 if there is none
 *   O  address of the data segment
 *   .. zeros up to a multiple of 8, which the library includes and writes
 * </pre>
 */
final class LocalHeapPrefix implements MetadataBlock {

  static final long NO_FREE_BLOCK = 1;

  private final FileGeometry geometry;
  private long segmentBytes;
  private long freeHead;
  private long segmentAddress;

  LocalHeapPrefix(FileGeometry geometry, long segmentBytes, long freeHead, long segmentAddress) {
    this.geometry = geometry;
    this.segmentBytes = segmentBytes;
    this.freeHead = freeHead;
    this.segmentAddress = segmentAddress;
  }

  static int size(FileGeometry geometry) {
    int fields = 8 + 2 * geometry.sizeOfLengths() + geometry.sizeOfOffsets();
    return LocalHeapSegment.aligned(fields);
  }

  static LocalHeapPrefix decode(MetadataReader reader) {
    reader.signature("HEAP");
    reader.expectU8("version", 0);
    reader.skip(3);
    long size = reader.length();
    long head = reader.length();
    long address = reader.offset();
    if (size < 0 || size > LocalHeapSegment.MAXIMUM_BYTES) {
      throw reader.corrupt(
          "data segment size actual=" + size + ", expected=0.." + LocalHeapSegment.MAXIMUM_BYTES);
    }
    if (head != NO_FREE_BLOCK && head != FileGeometry.UNDEFINED && (head < 0 || head >= size)) {
      throw reader.corrupt("free list head actual=" + head + ", expected=1 or below " + size);
    }
    return new LocalHeapPrefix(reader.geometry(), size, head, address);
  }

  @Override
  public long encodedSize() {
    return size(geometry);
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.signature("HEAP").u8(0).zeros(3);
    writer.length(segmentBytes).length(freeHead).offset(segmentAddress);
    writer.zeros(size(geometry) - (writer.position() - start));
  }

  long segmentBytes() {
    return segmentBytes;
  }

  long freeHead() {
    return freeHead;
  }

  long segmentAddress() {
    return segmentAddress;
  }

  void freeHead(long offset) {
    freeHead = offset;
  }

  void segment(long address, long sizeBytes) {
    segmentAddress = address;
    segmentBytes = sizeBytes;
  }
}
