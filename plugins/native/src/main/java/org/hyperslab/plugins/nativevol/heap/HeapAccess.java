package org.hyperslab.plugins.nativevol.heap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.VersionBounds;
import org.hyperslab.format.heap.GlobalHeap;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Reads and stores out-of-line values of elements in the global heap of a file. Each value in the
 * heap belongs to one element and is freed with it.
 *
 * <pre>
 *   sequence, string          region reference         revised reference
 *   4  count of elements      O  heap collection       1  kind, 1 flags
 *   O  heap collection        4  heap object           4  bytes in the heap
 *   4  heap object                                     O  heap collection, 4 heap object; or, for an
 *                                                         object in this file: the size of the token and the token
 * </pre>
 *
 * <p>A collection address of 0 means that nothing is stored.
 *
 * <p>Thread rule: reads in any thread under the file's read lock; writes under its write lock.
 */
public final class HeapAccess implements VlenAccess {

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int TOKEN_BYTES = 8;
  static final int REVISED_HEADER_BYTES = 2;
  private static final MemorySegment NO_SLOTS = MemorySegment.ofArray(new byte[0]);

  private final NativeFile file;
  private final VersionBounds bounds;
  private final FileGeometry geometry;
  private final GlobalHeap heap;

  /**
   * Opens the heap of a file.
   *
   * @param file the file
   * @param bounds the bounds of the structures that may be added
   */
  public HeapAccess(NativeFile file, VersionBounds bounds) {
    this.file = file;
    this.bounds = bounds;
    this.geometry = file.geometry();
    this.heap = new GlobalHeap(file.metadata());
  }

  /** {@return the heap, one for each open file} */
  public GlobalHeap heap() {
    return heap;
  }

  private long address(MemorySegment slots, long at) {
    int size = geometry.sizeOfOffsets();
    if (size == Long.BYTES) {
      return slots.get(U64, at);
    }
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = (value << 8) | (slots.get(ValueLayout.JAVA_BYTE, at + i) & 0xFFL);
    }
    return size < 8 && value == (1L << (8 * size)) - 1 ? FileGeometry.UNDEFINED : value;
  }

  private void address(MemorySegment slots, long at, long value) {
    if (geometry.sizeOfOffsets() == Long.BYTES) {
      slots.set(U64, at, value);
      return;
    }
    for (int i = 0; i < geometry.sizeOfOffsets(); i++) {
      slots.set(ValueLayout.JAVA_BYTE, at + i, (byte) (value >>> (8 * i)));
    }
  }

  /** Returns the content that a heap id refers to; null if the id is empty. */
  private MemorySegment content(MemorySegment slots, long at) {
    long collection = address(slots, at);
    if (collection == 0 || collection == FileGeometry.UNDEFINED) {
      return null;
    }
    int index = slots.get(U32, at + geometry.sizeOfOffsets());
    try {
      return heap.content(new GlobalHeapId(collection, index));
    } catch (NotFoundException dangling) {
      throw new CorruptFileException(
          file.name(),
          "global heap id",
          collection,
          "object actual=none of index " + index,
          dangling);
    }
  }

  /** Stores content in the heap, and its id at an offset in a slot. */
  void store(MemorySegment slots, long at, MemorySegment content) {
    GlobalHeapId id = heap.insert(content);
    address(slots, at, id.collectionAddress());
    slots.set(U32, at + geometry.sizeOfOffsets(), id.index());
  }

  private void storeNothing(MemorySegment slots, long at) {
    address(slots, at, 0);
    slots.set(U32, at + geometry.sizeOfOffsets(), 0);
  }

  @Override
  public MemorySegment readSequence(MemorySegment slots, long at, int elementSize) {
    long count = slots.get(U32, at) & 0xFFFF_FFFFL;
    MemorySegment content = content(slots, at + 4);
    if (content == null) {
      return null;
    }
    long bytes = count * elementSize;
    if (bytes > content.byteSize()) {
      throw new CorruptFileException(
          file.name(),
          "variable-length element",
          CorruptFileException.NO_OFFSET,
          "size actual=" + content.byteSize() + " bytes in the heap, expected=" + bytes);
    }
    return content.asSlice(0, bytes);
  }

  @Override
  public void writeSequence(MemorySegment slots, long at, MemorySegment elements, int elementSize) {
    boolean nothing = elements == null || (elements.byteSize() == 0 && elementSize > 1);
    slots.set(U32, at, nothing ? 0 : Math.toIntExact(elements.byteSize() / elementSize));
    if (nothing) {
      storeNothing(slots, at + 4);
    } else {
      store(slots, at + 4, elements);
    }
  }

  /**
   * Announces that elements are about to be overwritten, so that new values may be placed in the
   * heap collections of the old ones.
   *
   * @param type the type of the elements, file form
   * @param elements the elements before the write, packed
   * @param count the number of elements
   */
  public void consider(Datatype type, MemorySegment elements, long count) {
    new HeapRelease(this, NO_SLOTS).consider(type, elements, count);
  }

  /**
   * Gives elements that share the fill value's objects copies of their own.
   *
   * @param type the type of the elements, file form
   * @param elements the elements, packed; changed in place
   * @param fill the fill value
   */
  public void copyShared(Datatype type, MemorySegment elements, MemorySegment fill) {
    new HeapCopies(this).run(type, elements, fill);
  }

  /**
   * Frees the heap objects of elements; their slots are invalid afterwards. Ids that refer to no
   * object are skipped.
   *
   * @param type the type of the elements, file form
   * @param elements the elements, packed
   * @param count the number of elements
   */
  public void release(Datatype type, MemorySegment elements, long count) {
    new HeapRelease(this, NO_SLOTS).run(type, elements, NO_SLOTS, count);
  }

  /**
   * Frees the heap objects that elements referred to before they were overwritten, except those
   * that the new elements or the fill value still refer to.
   *
   * @param type the type of the elements, file form
   * @param old the elements before the write, packed
   * @param now the elements after the write, packed
   * @param fill the fill value; empty if it is zeros
   * @param count the number of elements
   */
  public void releaseReplaced(
      Datatype type, MemorySegment old, MemorySegment now, MemorySegment fill, long count) {
    new HeapRelease(this, fill).run(type, old, now, count);
  }

  /** Returns the id at an offset in a slot; an id of address 0 is empty. */
  GlobalHeapId id(MemorySegment slots, long at) {
    long collection = address(slots, at);
    return new GlobalHeapId(
        collection == FileGeometry.UNDEFINED ? 0 : collection,
        slots.get(U32, at + geometry.sizeOfOffsets()));
  }

  /** Returns the content that the id at an offset in a slot refers to; null if there is none. */
  MemorySegment contentIfPresent(MemorySegment slots, long at) {
    try {
      return content(slots, at);
    } catch (CorruptFileException dangling) {
      return null;
    }
  }

  /** Finds the free room in an object's heap collection, for values to be stored. */
  void consider(GlobalHeapId id) {
    if (id.collectionAddress() != 0) {
      try {
        heap.consider(id.collectionAddress());
      } catch (CorruptFileException dangling) {
        // Then the collection offers no room.
        return;
      }
    }
  }

  /** Removes an object, unless readers of other processes may still need it. */
  void remove(GlobalHeapId id) {
    if (id.collectionAddress() == 0 || id.index() <= 0 || file.publishes()) {
      return;
    }
    try {
      heap.remove(id);
    } catch (NotFoundException | CorruptFileException dangling) {
      // The object is missing already; the file is no worse for it.
      return;
    }
  }

  @Override
  public MemorySegment readReference(MemorySegment slots, long at, ReferenceKind kind) {
    return kind == ReferenceKind.REGION ? readRegion(slots, at) : readRevised(slots, at);
  }

  private MemorySegment readRegion(MemorySegment slots, long at) {
    MemorySegment content;
    try {
      content = content(slots, at);
    } catch (CorruptFileException | NotFoundException dangling) {
      return nowhere();
    }
    int size = geometry.sizeOfOffsets();
    if (content == null || size == TOKEN_BYTES) {
      return content;
    }
    MemorySegment payload =
        MemorySegment.ofArray(new byte[Math.toIntExact(content.byteSize() + TOKEN_BYTES - size)]);
    MemorySegment.copy(content, 0, payload, 0, size);
    MemorySegment.copy(content, size, payload, TOKEN_BYTES, content.byteSize() - size);
    return payload;
  }

  /**
   * Returns the reference for one whose selection cannot be read: to no object, without a
   * selection. Whoever follows it gets an error; the members beside it in a compound, and other
   * elements, can be read. The C library does not read selections before a reference is followed
   * either.
   */
  private static MemorySegment nowhere() {
    byte[] payload = new byte[TOKEN_BYTES];
    Arrays.fill(payload, (byte) -1);
    return MemorySegment.ofArray(payload);
  }

  private static boolean isNowhere(MemorySegment payload) {
    return payload.byteSize() == TOKEN_BYTES && payload.mismatch(nowhere()) < 0;
  }

  private MemorySegment readRevised(MemorySegment slots, long at) {
    int kind = slots.get(ValueLayout.JAVA_BYTE, at);
    MemorySegment header = slots.asSlice(at, REVISED_HEADER_BYTES);
    MemorySegment rest;
    boolean external = (slots.get(ValueLayout.JAVA_BYTE, at + 1) & Reference.EXTERNAL) != 0;
    if (kind == ReferenceKind.OBJECT2.code() && !external) {
      int tokenBytes = slots.get(ValueLayout.JAVA_BYTE, at + REVISED_HEADER_BYTES) & 0xFF;
      if (tokenBytes == 0) {
        return null;
      }
      long room = Math.min(1 + tokenBytes, slots.byteSize() - at - REVISED_HEADER_BYTES);
      rest = slots.asSlice(at + REVISED_HEADER_BYTES, room);
    } else {
      rest = content(slots, at + REVISED_HEADER_BYTES + 4);
      if (rest == null) {
        return null;
      }
    }
    MemorySegment payload =
        MemorySegment.ofArray(new byte[Math.toIntExact(REVISED_HEADER_BYTES + rest.byteSize())]);
    MemorySegment.copy(header, 0, payload, 0, REVISED_HEADER_BYTES);
    MemorySegment.copy(rest, 0, payload, REVISED_HEADER_BYTES, rest.byteSize());
    return payload;
  }

  @Override
  public void writeReference(
      MemorySegment slots, long at, MemorySegment payload, ReferenceKind kind) {
    if (kind == ReferenceKind.REGION) {
      writeRegion(slots, at, payload);
    } else {
      writeRevised(slots, at, payload);
    }
  }

  private void writeRegion(MemorySegment slots, long at, MemorySegment payload) {
    int size = geometry.sizeOfOffsets();
    if (payload == null || isNowhere(payload)) {
      storeNothing(slots, at);
      return;
    }
    bounds.requireSelection(payload.asSlice(TOKEN_BYTES));
    if (size == TOKEN_BYTES) {
      store(slots, at, payload);
    } else {
      long selection = payload.byteSize() - TOKEN_BYTES;
      MemorySegment content = MemorySegment.ofArray(new byte[Math.toIntExact(size + selection)]);
      MemorySegment.copy(payload, 0, content, 0, size);
      MemorySegment.copy(payload, TOKEN_BYTES, content, size, selection);
      store(slots, at, content);
    }
  }

  private void writeRevised(MemorySegment slots, long at, MemorySegment payload) {
    int elementBytes = REVISED_HEADER_BYTES + 4 + geometry.sizeOfOffsets() + 4;
    slots.asSlice(at, elementBytes).fill((byte) 0);
    if (payload == null) {
      return;
    }
    MemorySegment.copy(payload, 0, slots, at, REVISED_HEADER_BYTES);
    MemorySegment rest = payload.asSlice(REVISED_HEADER_BYTES);
    boolean external = (payload.get(ValueLayout.JAVA_BYTE, 1) & Reference.EXTERNAL) != 0;
    if (payload.get(ValueLayout.JAVA_BYTE, 0) == ReferenceKind.OBJECT2.code() && !external) {
      long room = Math.min(rest.byteSize(), elementBytes - REVISED_HEADER_BYTES);
      MemorySegment.copy(rest, 0, slots, at + REVISED_HEADER_BYTES, room);
      return;
    }
    slots.set(U32, at + REVISED_HEADER_BYTES, Math.toIntExact(rest.byteSize()));
    store(slots, at + REVISED_HEADER_BYTES + 4, rest);
  }
}
