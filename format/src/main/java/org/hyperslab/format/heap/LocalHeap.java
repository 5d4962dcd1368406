package org.hyperslab.format.heap;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * A local heap: the names and soft link paths of one old-style group, or the file names of an
 * external file list, each at an offset in one data segment.
 *
 * <p>Thread rule: like blocks: edited by one thread under the file's write lock, read in any number
 * of threads between edits. Opened again for each operation.
 *
 * <p>Source: HDF5 File Format Specification, III.D "Local Heaps"; reference {@code H5HL.c}, {@code
 * H5HLcache.c}.
 */
public final class LocalHeap {

  private static final String PREFIX = "local heap";
  private static final String SEGMENT = "local heap data segment";

  private final MetadataSpace space;
  private final long address;
  private final LocalHeapPrefix prefix;
  private LocalHeapSegment segment;

  private LocalHeap(
      MetadataSpace space, long address, LocalHeapPrefix prefix, LocalHeapSegment segment) {
    this.space = space;
    this.address = address;
    this.prefix = prefix;
    this.segment = segment;
  }

  /**
   * {@return the heap at an address}
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @throws CorruptFileException if there is none
   */
  public static LocalHeap open(MetadataSpace space, long address) {
    LocalHeapPrefix prefix =
        space.load(
            address,
            LocalHeapPrefix.size(space.geometry()),
            PREFIX,
            LocalHeapPrefix.class,
            LocalHeapPrefix::decode);
    LocalHeapSegment segment =
        prefix.segmentBytes() == 0
            ? LocalHeapSegment.create(space.geometry(), 0)
            : space.load(
                prefix.segmentAddress(),
                prefix.segmentBytes(),
                SEGMENT,
                LocalHeapSegment.class,
                LocalHeapSegment::decode);
    if (segment.encodedSize() != prefix.segmentBytes()) {
      throw new CorruptFileException(
          space.geometry().file(),
          PREFIX,
          address,
          "data segment actual="
              + segment.encodedSize()
              + " bytes, expected="
              + prefix.segmentBytes());
    }
    return new LocalHeap(space, address, prefix, segment);
  }

  /**
   * Creates a heap whose data segment has at least {@code expectedBytes} bytes. Its first object is
   * the empty text at offset 0, which groups require.
   *
   * @param space the metadata of the file
   * @param expectedBytes the expected size in bytes; the heap can grow beyond it
   * @return the heap
   */
  public static LocalHeap create(MetadataSpace space, int expectedBytes) {
    FileGeometry geometry = space.geometry();
    int size =
        LocalHeapSegment.aligned(Math.max(expectedBytes, LocalHeapSegment.leastFree(geometry) + 8));
    long address = space.allocate(SpaceKind.HEAP, LocalHeapPrefix.size(geometry));
    long segmentAddress = space.allocate(SpaceKind.HEAP, size);
    LocalHeapPrefix prefix = new LocalHeapPrefix(geometry, size, 0, segmentAddress);
    LocalHeapSegment segment = LocalHeapSegment.create(geometry, size);
    space.insert(address, prefix);
    space.insert(segmentAddress, segment);
    LocalHeap heap = new LocalHeap(space, address, prefix, segment);
    heap.insert("");
    return heap;
  }

  /** {@return the heap's address} */
  public long address() {
    return address;
  }

  /** {@return the size of the data segment in bytes} */
  public long sizeBytes() {
    return prefix.segmentBytes();
  }

  /** {@return the number of bytes of the data segment in the free list} */
  public long freeBytes() {
    return free().values().stream().mapToLong(Integer::longValue).sum();
  }

  /** {@return the size of this heap's blocks in the file, in bytes} */
  public long totalBytes() {
    return prefix.encodedSize() + prefix.segmentBytes();
  }

  /**
   * {@return the NUL-terminated UTF-8 text at an offset}
   *
   * @param offset the offset within the heap's data
   * @throws CorruptFileException if the offset, or the end of the text, is outside the data segment
   */
  public String text(long offset) {
    int start = checked(offset);
    return NameBytes.decode(segment.bytes(), start, end(start) - start);
  }

  /**
   * Compares the text at an offset with UTF-8 bytes, byte by byte as unsigned numbers, which is the
   * order of names in groups.
   *
   * @param offset the offset within the heap's data
   * @param key the bytes to compare with, without a NUL
   * @return negative if the text comes before the key, 0 if they are equal, positive if after
   */
  public int compare(long offset, byte[] key) {
    int start = checked(offset);
    byte[] bytes = segment.bytes();
    int at = start;
    for (byte expected : key) {
      if (at >= bytes.length) {
        throw unterminated(start);
      }
      int difference = (bytes[at] & 0xFF) - (expected & 0xFF);
      if (difference != 0) {
        return difference;
      }
      at++;
    }
    if (at >= bytes.length) {
      throw unterminated(start);
    }
    return bytes[at] == 0 ? 0 : 1;
  }

  private int checked(long offset) {
    if (offset < 0 || offset >= segment.bytes().length) {
      throw corrupt("offset actual=" + offset + ", expected=below " + segment.bytes().length);
    }
    return (int) offset;
  }

  private int end(int start) {
    byte[] bytes = segment.bytes();
    int at = start;
    while (at < bytes.length && bytes[at] != 0) {
      at++;
    }
    if (at == bytes.length) {
      throw unterminated(start);
    }
    return at;
  }

  private CorruptFileException unterminated(int start) {
    return corrupt("text at offset " + start + " has no terminating NUL");
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        space.geometry().file(), SEGMENT, prefix.segmentAddress(), problem);
  }

  private NavigableMap<Integer, Integer> free() {
    return segment.free(prefix.segmentAddress(), prefix.freeHead());
  }

  /**
   * Stores text and a NUL, growing the data segment if there is no room.
   *
   * @param text the text
   * @return its offset
   * @throws InvalidUseException if the text contains a NUL, or the heap would exceed 2^30 bytes
   */
  public long insert(String text) {
    if (text.indexOf(0) >= 0) {
      throw new InvalidUseException(
          "name: actual=contains NUL, expected=no NUL, at=" + space.geometry().file());
    }
    return insert(NameBytes.encode(text));
  }

  /**
   * Stores the bytes of a text and a NUL, growing the data segment if there is no room.
   *
   * @param utf8 the bytes, none of them 0
   * @return their offset
   * @throws InvalidUseException if the heap would exceed 2^30 bytes
   */
  public long insert(byte[] utf8) {
    int needed = LocalHeapSegment.aligned(Math.addExact(utf8.length, 1));
    int offset = take(needed);
    byte[] bytes = segment.bytes();
    System.arraycopy(utf8, 0, bytes, offset, utf8.length);
    Arrays.fill(bytes, offset + utf8.length, offset + needed, (byte) 0);
    markDirty();
    return offset;
  }

  /** Takes a block from the free list. */
  private int take(int needed) {
    int least = LocalHeapSegment.leastFree(space.geometry());
    for (Map.Entry<Integer, Integer> block : free().entrySet()) {
      int size = block.getValue();
      if (size == needed || size - needed >= least) {
        return take(block.getKey(), size, needed);
      }
    }
    grow(needed);
    Map.Entry<Integer, Integer> last = free().lastEntry();
    return take(last.getKey(), last.getValue(), needed);
  }

  private int take(int offset, int size, int needed) {
    free().remove(offset);
    if (size > needed) {
      free().put(offset + needed, size - needed);
    }
    return offset;
  }

  /** At least doubles the data segment, so that a block of the needed size is free at its end. */
  private void grow(int needed) {
    int old = segment.bytes().length;
    long wanted =
        (long) old
            + Math.max(old, needed + LocalHeapSegment.leastFree(space.geometry()))
            + LocalHeapSegment.ALIGNMENT
            - 1;
    long size = wanted & -LocalHeapSegment.ALIGNMENT;
    if (size > LocalHeapSegment.MAXIMUM_BYTES) {
      throw new InvalidUseException(
          "link names of an old-style group: actual="
              + size
              + " bytes, expected=at most "
              + LocalHeapSegment.MAXIMUM_BYTES
              + ", at="
              + space.geometry().file()
              + "; use the newer group format");
    }
    LocalHeapSegment larger = segment.grown((int) size);
    long newAddress = space.allocate(SpaceKind.HEAP, size);
    if (old > 0) {
      space.discard(prefix.segmentAddress());
      space.free(SpaceKind.HEAP, prefix.segmentAddress(), old);
    }
    prefix.segment(newAddress, size);
    segment = larger;
    space.insert(newAddress, larger);
  }

  /**
   * Frees the space of the text at an offset.
   *
   * @param offset the offset within the heap's data
   */
  public void remove(long offset) {
    int start = checked(offset);
    int size = LocalHeapSegment.aligned(end(start) + 1 - start);
    int bounded = Math.min(size, segment.bytes().length - start);
    Map.Entry<Integer, Integer> before = free().floorEntry(start);
    Map.Entry<Integer, Integer> after = free().ceilingEntry(start);
    if ((before != null && before.getKey() + before.getValue() > start)
        || (after != null && after.getKey() < start + bounded)) {
      throw corrupt("text to remove at offset " + start + " is already free");
    }
    segment.addFree(start, bounded);
    markDirty();
  }

  private void markDirty() {
    NavigableMap<Integer, Integer> free = free();
    prefix.freeHead(free.isEmpty() ? LocalHeapPrefix.NO_FREE_BLOCK : free.firstKey());
    space.markDirty(address, prefix);
    space.markDirty(prefix.segmentAddress(), segment);
  }

  /** Frees the heap's space. */
  public void delete() {
    space.discard(address);
    space.free(SpaceKind.HEAP, address, prefix.encodedSize());
    if (prefix.segmentBytes() > 0) {
      space.discard(prefix.segmentAddress());
      space.free(SpaceKind.HEAP, prefix.segmentAddress(), prefix.segmentBytes());
    }
  }

  @Override
  public String toString() {
    return PREFIX + "@" + address;
  }
}
