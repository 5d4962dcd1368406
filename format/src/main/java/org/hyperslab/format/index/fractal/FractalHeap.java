package org.hyperslab.format.index.fractal;

import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * A fractal heap, which stores byte strings under ids of a fixed length. Small objects are in the
 * id itself, most are in blocks, and large ones in space of their own; callers need not
 * distinguish.
 *
 * <p>Free space inside blocks is reused, and recorded in the file before a flush, when the engine
 * calls back ({@link MetadataSpace#beforeFlush}). At any moment in between, the C library can read
 * and edit the file form; only the free space is not recorded there.
 *
 * <p>An id has {@link #idBytes()} bytes. Ids from files are not trusted: an id without an object
 * causes a {@link CorruptFileException}. An instance is a view without state of its own.
 *
 * <p>Thread rule: {@link #find}, {@link #get} and the sizes in any number of threads; everything
 * else under the file's write lock.
 */
public final class FractalHeap {

  private static final int TYPE_MASK = 0x30;
  private static final int VERSION_MASK = 0xC0;
  private static final int MANAGED = 0;
  private static final int TINY = 0x20;

  private final MetadataSpace space;
  private final HeapFilter filter;
  private final long address;
  private final HeapLayout layout;

  private FractalHeap(MetadataSpace space, HeapFilter filter, HeapHeader header) {
    this.space = space;
    this.filter = filter;
    this.layout = header.layout;
    this.address = layout.headerAddress();
  }

  /**
   * Creates an empty, unfiltered heap, whose header is allocated and inserted.
   *
   * @param space the metadata of the file
   * @param parameters the creation parameters of the heap
   * @return the heap
   */
  public static FractalHeap create(MetadataSpace space, HeapParameters parameters) {
    FileGeometry geometry = space.geometry();
    long address = space.allocate(SpaceKind.HEAP, HeapHeader.encodedBytes(geometry, 0));
    HeapHeader header = HeapHeader.create(geometry, address, parameters);
    space.insert(address, header);
    return new FractalHeap(space, HeapFilter.NONE, header);
  }

  /**
   * Opens a heap without filters, such as those of attributes and shared messages.
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @return the heap
   */
  public static FractalHeap open(MetadataSpace space, long address) {
    return open(space, address, HeapFilter.NONE);
  }

  /**
   * Opens the heap whose header is at an address.
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @param filter the filters of the heap
   * @return the heap
   * @throws CorruptFileException if it is not a heap
   */
  public static FractalHeap open(MetadataSpace space, long address, HeapFilter filter) {
    return new FractalHeap(space, filter, header(space, address));
  }

  private static HeapHeader header(MetadataSpace space, long address) {
    Optional<HeapHeader> cached = space.cached(address, HeapHeader.STRUCTURE, HeapHeader.class);
    if (cached.isPresent()) {
      return cached.get();
    }
    FileGeometry geometry = space.geometry();
    byte[] prefix = space.peek(address, HeapHeader.PREFIX_BYTES, HeapHeader.STRUCTURE);
    MetadataReader reader = new MetadataReader(geometry, HeapHeader.STRUCTURE, prefix, address);
    reader.skip(7);
    int size = HeapHeader.encodedBytes(geometry, reader.u16());
    return space.load(
        address,
        size,
        HeapHeader.STRUCTURE,
        HeapHeader.class,
        whole -> HeapHeader.decode(whole, address));
  }

  private HeapHeader header() {
    return header(space, address);
  }

  /** {@return the address of the header, which identifies the heap in the file} */
  public long address() {
    return address;
  }

  /** {@return the length of this heap's ids in bytes} */
  public int idBytes() {
    return layout.idBytes();
  }

  /** {@return the parameters in the header} */
  HeapParameters parameters() {
    return header().parameters;
  }

  /** {@return the number of objects of all kinds in the heap} */
  public long objects() {
    HeapHeader header = header();
    return header.managedObjects + header.hugeObjects + header.tinyObjects;
  }

  /**
   * {@return the size of the heap in the file in bytes: header, blocks, huge objects with their
   * B-tree, and the free-space manager} Filtered blocks count with their unfiltered size, as in the
   * C library.
   *
   * @throws CorruptFileException if the blocks or the B-tree cannot be traversed
   */
  public long storageBytes() {
    HeapHeader header = header();
    long bytes = header.encodedSize() + header.managedAllocated + header.hugeBytes;
    bytes += new ManagedBlocks(space, header, filter).indirectBytes() + huge().treeBytes();
    return header.freeSpaceAddress == FileGeometry.UNDEFINED
        ? bytes
        : bytes + HeapFreeSpace.metadataBytes(space, layout, header.freeSpaceAddress);
  }

  /**
   * {@return the object of an id in an array, without copying bytes that are in memory already}
   *
   * @param ids an array that holds the id
   * @param at the index of the id's first byte
   */
  public HeapObject find(byte[] ids, int at) {
    if (at < 0 || at > ids.length - layout.idBytes()) {
      throw new InvalidUseException(
          "heap id: actual="
              + (ids.length - at)
              + " bytes, expected="
              + layout.idBytes()
              + ", at="
              + layout.geometry().file()
              + "@"
              + address);
    }
    return switch (kind(ids[at])) {
      case MANAGED -> managed().find(managedOffset(ids, at), managedLength(ids, at));
      case TINY -> tiny(ids, at);
      default -> huge().find(ids, at);
    };
  }

  /**
   * {@return a copy of the object of an id}
   *
   * @param id the heap id
   */
  public byte[] get(byte[] id) {
    return find(id, 0).copy();
  }

  private ManagedObjects managed() {
    return new ManagedObjects(space, header(), filter);
  }

  private HugeObjects huge() {
    return new HugeObjects(space, header(), filter);
  }

  private int kind(byte flags) {
    int type = flags & TYPE_MASK;
    if ((flags & VERSION_MASK) != 0 || type == TYPE_MASK) {
      throw corrupt("heap id flags actual=0x" + Integer.toHexString(flags & 0xFF));
    }
    return type;
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        layout.geometry().file(), HeapHeader.STRUCTURE, address, problem);
  }

  private long managedOffset(byte[] ids, int at) {
    return RecordBytes.unsigned(ids, at + 1, layout.offsetBytes());
  }

  private int managedLength(byte[] ids, int at) {
    long length = RecordBytes.unsigned(ids, at + 1 + layout.offsetBytes(), layout.lengthBytes());
    if (length < 1 || length > layout.maximumManagedBytes()) {
      throw corrupt(
          "length of managed object actual="
              + length
              + ", expected=1.."
              + layout.maximumManagedBytes());
    }
    return (int) length;
  }

  private HeapObject tiny(byte[] ids, int at) {
    int length = (ids[at] & 0x0F) + 1;
    int first = at + 1;
    if (layout.tinyExtended()) {
      length = (((ids[at] & 0x0F) << 8) | (ids[at + 1] & 0xFF)) + 1;
      first++;
    }
    if (length > layout.maximumTinyBytes()) {
      throw corrupt(
          "length of tiny object actual="
              + length
              + ", expected=at most "
              + layout.maximumTinyBytes());
    }
    return new HeapObject(ids, first, length);
  }

  /**
   * Stores an object of at least one byte.
   *
   * @param object the object's bytes
   * @return the object's id, of {@link #idBytes()} bytes
   */
  public byte[] insert(byte[] object) {
    if (object.length == 0) {
      throw new InvalidUseException(
          "heap object: actual=0 bytes, expected=at least 1, at=" + layout.geometry().file());
    }
    if (object.length > layout.maximumManagedBytes()) {
      return huge().insert(object);
    }
    if (object.length <= layout.maximumTinyBytes()) {
      return insertTiny(object);
    }
    long offset = managed().insert(object);
    byte[] id = new byte[layout.idBytes()];
    RecordBytes.putUnsigned(id, 1, offset, layout.offsetBytes());
    RecordBytes.putUnsigned(id, 1 + layout.offsetBytes(), object.length, layout.lengthBytes());
    return id;
  }

  private byte[] insertTiny(byte[] object) {
    byte[] id = new byte[layout.idBytes()];
    int encoded = object.length - 1;
    if (layout.tinyExtended()) {
      id[0] = (byte) (TINY | (encoded >> 8));
      id[1] = (byte) encoded;
      System.arraycopy(object, 0, id, 2, object.length);
    } else {
      id[0] = (byte) (TINY | encoded);
      System.arraycopy(object, 0, id, 1, object.length);
    }
    HeapHeader header = header();
    header.tinyObjects++;
    header.tinyBytes += object.length;
    space.markDirty(address, header);
    return id;
  }

  /**
   * Overwrites an object by one of the same length; the id stays the same.
   *
   * @param id the heap id
   * @param object the object's bytes
   * @throws InvalidUseException if the length differs, or the object is stored in its id
   */
  public void replace(byte[] id, byte[] object) {
    int length = find(id, 0).length();
    if (length != object.length) {
      throw new InvalidUseException(
          "heap object: actual="
              + object.length
              + " bytes, expected="
              + length
              + " as before; remove it and insert the new one");
    }
    switch (kind(id[0])) {
      case MANAGED -> managed().replace(managedOffset(id, 0), object);
      case TINY ->
          throw new InvalidUseException(
              "heap object: actual=" + length + " bytes inside its id, expected=a larger one");
      default -> huge().replace(id, object);
    }
  }

  /**
   * Removes the object of an id.
   *
   * @param id the heap id
   */
  public void remove(byte[] id) {
    switch (kind(id[0])) {
      case MANAGED -> managed().remove(managedOffset(id, 0), managedLength(id, 0));
      case TINY -> removeTiny(id);
      default -> huge().remove(id);
    }
  }

  private void removeTiny(byte[] id) {
    int length = tiny(id, 0).length();
    HeapHeader header = header();
    header.tinyObjects = Math.max(0, header.tinyObjects - 1);
    header.tinyBytes = Math.max(0, header.tinyBytes - length);
    space.markDirty(address, header);
  }

  /** Frees all of the heap's space, including objects; the heap does not exist afterwards. */
  public void delete() {
    HeapHeader header = header();
    managed().releaseAll();
    huge().releaseAll();
    space.discard(address);
    space.free(SpaceKind.HEAP, address, header.encodedSize());
  }
}
