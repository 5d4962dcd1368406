package org.hyperslab.format.heap;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A collection of a global heap. The image is kept as in the file and edited in place; a table of
 * offsets locates objects.
 *
 * <pre>
 *   4  signature GCOL
 *   1  version, 1
 *   3  reserved
 *   L  size of the collection, this header included
 *      objects, each at a multiple of 8:
 *        2  index, 1 to 65,535; 0 for the free space up to the end
 *        2  reference count
 *        4  reserved
 *        L  size of the content; of free space, with this heading
 *           content, padded to 8
 * </pre>
 *
 * <p>Free space that is smaller than a heading has no heading.
 *
 * <p>The bytes of a removed object stay in place, as <i>dead</i> bytes, until room is needed or the
 * image is encoded; then all objects are moved together. Thus removing many objects costs no more
 * than removing one.
 *
 * <p>Source: HDF5 File Format Specification, III.E "Global Heap"; reference {@code H5HG.c}, {@code
 * H5HGcache.c}.
 */
final class GlobalHeapCollection implements MetadataBlock {

  static final String STRUCTURE = "global heap collection";
  static final int MINIMUM_BYTES = 4096;
  static final int MAXIMUM_BYTES = 1 << 30;
  static final int MAXIMUM_INDEX = 65_535;

  private static final String SIGNATURE = "GCOL";
  private static final int FIRST_OFFSETS = 64;

  /** The size in bytes up to which a collection moves its objects as soon as one byte is dead. */
  private static final int SMALL_BYTES = 8 << 10;

  /** The share of dead bytes, as a divisor, at which larger collections move their objects. */
  private static final int MOVING_SHARE = 16;

  private final FileGeometry geometry;
  private final long address;
  private final byte[] image;

  /** The offset of each object's heading by index, 0 if there is no object. */
  private int[] offsetByIndex = new int[FIRST_OFFSETS];

  private int objectCount;
  private int highestIndex;
  private int freeStart;

  /** The number of bytes of removed objects before {@link #freeStart}. */
  private int deadBytes;

  /**
   * The lowest index that may be unused; every index below it is in use, except those above {@link
   * #highestIndex}.
   */
  private int lowestUnused = 1;

  private GlobalHeapCollection(FileGeometry geometry, long address, byte[] image) {
    this.geometry = geometry;
    this.address = address;
    this.image = image;
  }

  static int headerBytes(FileGeometry geometry) {
    return aligned(8 + geometry.sizeOfLengths());
  }

  static int headingBytes(FileGeometry geometry) {
    return aligned(8 + geometry.sizeOfLengths());
  }

  static int aligned(int size) {
    return (size + 7) & -8;
  }

  /** Creates a collection without objects. */
  static GlobalHeapCollection create(FileGeometry geometry, long address, int sizeBytes) {
    MetadataWriter writer = new MetadataWriter(geometry, sizeBytes);
    writer.signature(SIGNATURE).u8(1).zeros(3).length(sizeBytes).zerosTo(sizeBytes);
    GlobalHeapCollection made = new GlobalHeapCollection(geometry, address, writer.toByteArray());
    made.freeStart = headerBytes(geometry);
    return made;
  }

  /** Returns the size of the collection that begins with these bytes. */
  static long size(MetadataReader reader) {
    reader.signature(SIGNATURE);
    reader.expectU8("version", 1);
    reader.skip(3);
    long size = reader.length();
    // The library writes 4,096 bytes or more; others write what their objects need.
    int least = headerBytes(reader.geometry());
    if (size < least || size > MAXIMUM_BYTES) {
      throw reader.corrupt("size actual=" + size + ", expected=" + least + ".." + MAXIMUM_BYTES);
    }
    return size;
  }

  static GlobalHeapCollection decode(MetadataReader reader) {
    long address = reader.fileOffset();
    byte[] image = reader.bytes(reader.remaining());
    MetadataReader own = new MetadataReader(reader.geometry(), STRUCTURE, image, address);
    if (size(own) != image.length) {
      throw own.corrupt("size changed while it was read");
    }
    GlobalHeapCollection made = new GlobalHeapCollection(reader.geometry(), address, image);
    made.scan(own);
    return made;
  }

  private void scan(MetadataReader reader) {
    int heading = headingBytes(geometry);
    int at = headerBytes(geometry);
    freeStart = image.length;
    while (image.length - at >= heading) {
      reader.position(at);
      int index = reader.u16();
      reader.skip(6);
      long size = reader.length();
      long taken = index == 0 ? size : heading + ((size + 7) & -8L);
      if (size < 0 || taken < heading || taken > image.length - at) {
        throw reader.corrupt(
            "size of object " + index + " actual=" + size + ", expected=within the collection");
      }
      if (index == 0) {
        freeStart = at;
      } else {
        freeStart = image.length;
        register(reader, index, at);
      }
      at += (int) taken;
    }
    if (at < image.length && freeStart == image.length) {
      freeStart = at;
    }
  }

  private void register(MetadataReader reader, int index, int at) {
    room(index);
    if (offsetByIndex[index] != 0) {
      throw reader.corrupt("object index actual=" + index + " twice, expected=once");
    }
    offsetByIndex[index] = at;
    objectCount++;
    highestIndex = Math.max(highestIndex, index);
  }

  private void room(int index) {
    if (index >= offsetByIndex.length) {
      int length = Math.min(MAXIMUM_INDEX + 1, Math.max(index + 1, 2 * offsetByIndex.length));
      offsetByIndex = Arrays.copyOf(offsetByIndex, length);
    }
  }

  @Override
  public long encodedSize() {
    return image.length;
  }

  @Override
  public void encode(MetadataWriter writer) {
    compact();
    writeFreeHeading();
    writer.bytes(image);
  }

  long address() {
    return address;
  }

  int objectCount() {
    return objectCount;
  }

  /**
   * Returns the size of the largest object that can be inserted, in bytes; negative if there is no
   * room. Dead bytes count if there are enough of them to be worth moving all objects.
   */
  int largestInsertion() {
    if (objectCount == MAXIMUM_INDEX) {
      return -1;
    }
    int room = image.length - freeStart + (isWorthMoving() ? deadBytes : 0);
    return (room & -8) - headingBytes(geometry);
  }

  private boolean isWorthMoving() {
    return deadBytes >= (image.length <= SMALL_BYTES ? 1 : image.length / MOVING_SHARE);
  }

  boolean isEmpty() {
    return objectCount == 0;
  }

  /**
   * Returns the content of an object, as a read-only view that is valid until the next edit of the
   * collection.
   */
  MemorySegment content(int index) {
    int at = heading(index);
    return MemorySegment.ofArray(image)
        .asSlice(at + headingBytes(geometry), contentSize(at))
        .asReadOnly();
  }

  int contentSize(int headingOffset) {
    MetadataReader reader = reader(headingOffset + 8);
    return (int) reader.length();
  }

  int references(int index) {
    return reader(heading(index) + 2).u16();
  }

  void references(int index, int count) {
    int at = heading(index) + 2;
    image[at] = (byte) count;
    image[at + 1] = (byte) (count >>> 8);
  }

  private MetadataReader reader(int position) {
    MetadataReader reader = new MetadataReader(geometry, STRUCTURE, image, address);
    reader.position(position);
    return reader;
  }

  private int heading(int index) {
    if (index < 1 || index >= offsetByIndex.length || offsetByIndex[index] == 0) {
      throw new NotFoundException(
          "global heap object: actual=no object with index "
              + index
              + ", expected=one of "
              + objectCount
              + " objects, at="
              + geometry.file()
              + "@"
              + address);
    }
    return offsetByIndex[index];
  }

  /** Adds an object, for which there must be room, and returns its index. */
  int insert(MemorySegment content) {
    int size = Math.toIntExact(content.byteSize());
    if (headingBytes(geometry) + aligned(size) > image.length - freeStart) {
      compact();
    }
    int index = unusedIndex();
    int at = freeStart;
    writeHeading(at, index, size);
    int start = at + headingBytes(geometry);
    MemorySegment.copy(content, 0, MemorySegment.ofArray(image), start, size);
    Arrays.fill(image, start + size, start + aligned(size), (byte) 0);
    room(index);
    offsetByIndex[index] = at;
    objectCount++;
    highestIndex = Math.max(highestIndex, index);
    freeStart = start + aligned(size);
    return index;
  }

  private void writeHeading(int at, int index, long size) {
    Arrays.fill(image, at, at + headingBytes(geometry), (byte) 0);
    image[at] = (byte) index;
    image[at + 1] = (byte) (index >>> 8);
    for (int i = 0; i < geometry.sizeOfLengths(); i++) {
      image[at + 8 + i] = (byte) (size >>> (8 * i));
    }
  }

  private int unusedIndex() {
    if (highestIndex < MAXIMUM_INDEX) {
      return highestIndex + 1;
    }
    for (int index = lowestUnused; index <= MAXIMUM_INDEX; index++) {
      if (offsetByIndex[index] == 0) {
        lowestUnused = index + 1;
        return index;
      }
    }
    throw new CorruptFileException(geometry.file(), STRUCTURE, address, "no unused index");
  }

  /** Removes an object. */
  void remove(int index) {
    int at = heading(index);
    int taken = headingBytes(geometry) + aligned(contentSize(at));
    offsetByIndex[index] = 0;
    objectCount--;
    lowestUnused = Math.min(lowestUnused, index);
    while (highestIndex > 0 && offsetByIndex[highestIndex] == 0) {
      highestIndex--;
    }
    if (at + taken == freeStart) {
      int used = Math.min(image.length, freeStart + headingBytes(geometry));
      Arrays.fill(image, at, used, (byte) 0);
      freeStart = at;
    } else {
      deadBytes += taken;
    }
  }

  /** Moves all objects together, so that the free space is contiguous. */
  private void compact() {
    if (deadBytes == 0) {
      return;
    }
    int to = headerBytes(geometry);
    for (int at = to; at < freeStart; ) {
      int index = (image[at] & 0xFF) | (image[at + 1] & 0xFF) << 8;
      int size = contentSize(at);
      int taken = index == 0 ? size : headingBytes(geometry) + aligned(size);
      if (offsetByIndex[index] == at) {
        System.arraycopy(image, at, image, to, taken);
        offsetByIndex[index] = to;
        to += taken;
      }
      at += taken;
    }
    freeStart = to;
    deadBytes = 0;
    Arrays.fill(image, freeStart, image.length, (byte) 0);
  }

  private void writeFreeHeading() {
    int free = image.length - freeStart;
    if (free >= headingBytes(geometry)) {
      writeHeading(freeStart, 0, free);
    }
  }

  @Override
  public String toString() {
    return STRUCTURE + "@" + address;
  }
}
