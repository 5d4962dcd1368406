package org.hyperslab.format.heap;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The global heap of one open file: objects of any size below 2^30 bytes in collections. It
 * remembers a few collections that have room; make one for a file and keep it while the file is
 * open.
 *
 * <p>Collections begin at 4,096 bytes and double, so that a million short strings need few.
 *
 * <p>Thread rule: {@link #content} by many readers at once; everything else by one thread under the
 * file's write lock.
 *
 * <p>Source: HDF5 File Format Specification, III.E; reference {@code H5HG.c}.
 */
public final class GlobalHeap {

  private static final int REMEMBERED = 16;
  private static final int GREATEST_USUAL_BYTES = 1 << 18;
  private static final int PREFIX_BYTES = 16;

  private final MetadataSpace space;
  private final ArrayDeque<Long> withRoom = new ArrayDeque<>();
  private int nextBytes = GlobalHeapCollection.MINIMUM_BYTES;

  /** The global heap of a file. */
  public GlobalHeap(MetadataSpace space) {
    this.space = space;
  }

  private GlobalHeapCollection collection(long address) {
    return space
        .cached(address, GlobalHeapCollection.STRUCTURE, GlobalHeapCollection.class)
        .orElseGet(() -> load(address));
  }

  private GlobalHeapCollection load(long address) {
    byte[] bytes = space.peek(address, PREFIX_BYTES, GlobalHeapCollection.STRUCTURE);
    long size =
        GlobalHeapCollection.size(
            new MetadataReader(space.geometry(), GlobalHeapCollection.STRUCTURE, bytes, address));
    return space.load(
        address,
        size,
        GlobalHeapCollection.STRUCTURE,
        GlobalHeapCollection.class,
        GlobalHeapCollection::decode);
  }

  /**
   * The content of an object: a read-only view, valid until the heap is next edited.
   *
   * @throws CorruptFileException if there is no collection at that address
   * @throws org.hyperslab.error.NotFoundException if the collection has no such object
   */
  public MemorySegment content(GlobalHeapId id) {
    return collection(id.collectionAddress()).content(id.index());
  }

  /** How many objects a collection holds. */
  public int objectCount(long collectionAddress) {
    return collection(collectionAddress).objectCount();
  }

  /** The size of a collection in the file, bytes. */
  public long collectionBytes(long collectionAddress) {
    return collection(collectionAddress).encodedSize();
  }

  /**
   * Stores an object with reference count 0, as the reference implementation does for
   * variable-length data.
   *
   * @throws InvalidUseException if it is of 2^30 bytes or more
   */
  public GlobalHeapId insert(MemorySegment content) {
    long size = content.byteSize();
    int overhead =
        GlobalHeapCollection.headerBytes(space.geometry())
            + GlobalHeapCollection.headingBytes(space.geometry());
    if (size > GlobalHeapCollection.MAXIMUM_BYTES - overhead - 8) {
      throw new InvalidUseException(
          "global heap object: actual="
              + size
              + " bytes, expected=below "
              + GlobalHeapCollection.MAXIMUM_BYTES
              + ", at="
              + space.geometry().file());
    }
    GlobalHeapCollection target = roomFor((int) size, overhead);
    int index = target.insert(content);
    space.markDirty(target.address(), target);
    if (target.largestInsertion() < 1) {
      withRoom.remove(target.address());
    }
    return new GlobalHeapId(target.address(), index);
  }

  private GlobalHeapCollection roomFor(int size, int overhead) {
    for (long address : withRoom) {
      GlobalHeapCollection known = collection(address);
      if (known.largestInsertion() >= size) {
        return known;
      }
    }
    int bytes = Math.max(nextBytes, GlobalHeapCollection.aligned(size) + overhead);
    nextBytes = Math.min(GREATEST_USUAL_BYTES, 2 * nextBytes);
    long address = space.allocate(SpaceKind.GLOBAL_HEAP, bytes);
    GlobalHeapCollection made = GlobalHeapCollection.create(space.geometry(), address, bytes);
    space.insert(address, made);
    remember(address);
    return made;
  }

  private void remember(long address) {
    if (!withRoom.contains(address)) {
      withRoom.addFirst(address);
      if (withRoom.size() > REMEMBERED) {
        withRoom.removeLast();
      }
    }
  }

  /** Removes an object; a collection without objects is given back. */
  public void remove(GlobalHeapId id) {
    GlobalHeapCollection collection = collection(id.collectionAddress());
    collection.remove(id.index());
    if (collection.isEmpty()) {
      forget(id.collectionAddress());
      space.discard(id.collectionAddress());
      space.free(SpaceKind.GLOBAL_HEAP, id.collectionAddress(), collection.encodedSize());
      return;
    }
    space.markDirty(id.collectionAddress(), collection);
    remember(id.collectionAddress());
  }

  private void forget(long address) {
    for (Iterator<Long> known = withRoom.iterator(); known.hasNext(); ) {
      if (known.next() == address) {
        known.remove();
      }
    }
  }

  /** The reference count of an object, 0 to 65,535. */
  public int references(GlobalHeapId id) {
    return collection(id.collectionAddress()).references(id.index());
  }

  /**
   * Changes the reference count of an object.
   *
   * @return the new count
   * @throws InvalidUseException if it would leave 0 to 65,535
   */
  public int addReferences(GlobalHeapId id, int difference) {
    GlobalHeapCollection collection = collection(id.collectionAddress());
    int count = Math.addExact(collection.references(id.index()), difference);
    if (count < 0 || count > 65_535) {
      throw new InvalidUseException(
          "reference count of a global heap object: actual=" + count + ", expected=0..65535");
    }
    collection.references(id.index(), count);
    space.markDirty(collection.address(), collection);
    return count;
  }
}
