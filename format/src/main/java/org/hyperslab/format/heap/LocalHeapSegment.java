package org.hyperslab.format.heap;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * The data segment of a local heap: objects at offsets, and free blocks, which begin with the
 * offset of the next free block (1 at the end of the list) and their own size.
 *
 * <p>The free list is read from the bytes at the first edit, kept by offset, and written back to
 * the bytes when they are encoded.
 */
final class LocalHeapSegment implements MetadataBlock {

  static final int MAXIMUM_BYTES = 1 << 30;
  static final int ALIGNMENT = 8;

  private final FileGeometry geometry;
  private final byte[] bytes;
  private volatile NavigableMap<Integer, Integer> freeSizeByOffset;

  private LocalHeapSegment(FileGeometry geometry, byte[] bytes) {
    this.geometry = geometry;
    this.bytes = bytes;
  }

  /** Creates a segment that is one free block. */
  static LocalHeapSegment create(FileGeometry geometry, int sizeBytes) {
    LocalHeapSegment segment = new LocalHeapSegment(geometry, new byte[sizeBytes]);
    segment.freeSizeByOffset = new TreeMap<>();
    segment.freeSizeByOffset.put(0, sizeBytes);
    return segment;
  }

  static LocalHeapSegment decode(MetadataReader reader) {
    return new LocalHeapSegment(reader.geometry(), reader.bytes(reader.remaining()));
  }

  /** Returns the size of the smallest block that the free list can hold, in bytes. */
  static int leastFree(FileGeometry geometry) {
    return aligned(2 * geometry.sizeOfLengths());
  }

  static int aligned(int size) {
    return (size + ALIGNMENT - 1) & -ALIGNMENT;
  }

  @Override
  public long encodedSize() {
    return bytes.length;
  }

  @Override
  public void encode(MetadataWriter writer) {
    if (freeSizeByOffset == null) {
      writer.bytes(bytes);
      return;
    }
    int at = 0;
    for (Map.Entry<Integer, Integer> free : freeSizeByOffset.entrySet()) {
      int offset = free.getKey();
      writer.bytes(bytes, at, offset - at);
      Integer next = freeSizeByOffset.higherKey(offset);
      writer.length(next == null ? LocalHeapPrefix.NO_FREE_BLOCK : next).length(free.getValue());
      at = offset + 2 * geometry.sizeOfLengths();
    }
    writer.bytes(bytes, at, bytes.length - at);
  }

  byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the free blocks, read from the bytes at the first call.
   *
   * @throws org.hyperslab.error.CorruptFileException if the list forms a cycle or leaves the
   *     segment, or blocks overlap
   */
  NavigableMap<Integer, Integer> free(long address, long head) {
    if (freeSizeByOffset != null) {
      return freeSizeByOffset;
    }
    MetadataReader reader = new MetadataReader(geometry, "local heap free list", bytes, address);
    NavigableMap<Integer, Integer> free = new TreeMap<>();
    long offset = head;
    while (offset != LocalHeapPrefix.NO_FREE_BLOCK && offset != FileGeometry.UNDEFINED) {
      if (offset < 0 || offset >= bytes.length) {
        throw reader.corrupt("offset actual=" + offset + ", expected=below " + bytes.length);
      }
      reader.position((int) offset);
      long next = reader.length();
      long size = reader.length();
      if (size < 2L * geometry.sizeOfLengths() || size > bytes.length - offset) {
        throw reader.corrupt("block size actual=" + size + " at offset " + offset);
      }
      Map.Entry<Integer, Integer> before = free.floorEntry((int) offset);
      Map.Entry<Integer, Integer> after = free.ceilingEntry((int) offset);
      if ((before != null && before.getKey() + before.getValue() > offset)
          || (after != null && after.getKey() < offset + size)) {
        throw reader.corrupt("block at offset " + offset + " overlaps another");
      }
      free.put((int) offset, (int) size);
      offset = next;
    }
    freeSizeByOffset = free;
    return free;
  }

  /** Returns a larger segment with the same content; the added bytes are free. */
  LocalHeapSegment grown(int newSize) {
    byte[] larger = Arrays.copyOf(bytes, newSize);
    LocalHeapSegment segment = new LocalHeapSegment(geometry, larger);
    segment.freeSizeByOffset = new TreeMap<>(freeSizeByOffset);
    segment.addFree(bytes.length, newSize - bytes.length);
    return segment;
  }

  /** Adds a free block, merged with its neighbours; a block too small for the list is lost. */
  void addFree(int offset, int size) {
    int start = offset;
    int end = offset + size;
    Map.Entry<Integer, Integer> before = freeSizeByOffset.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
    }
    Integer after = freeSizeByOffset.remove(end);
    if (after != null) {
      end += after;
    }
    if (end - start >= leastFree(geometry)) {
      freeSizeByOffset.put(start, end - start);
    }
  }

  @Override
  public String toString() {
    return "local heap data segment of " + bytes.length + " bytes";
  }
}
