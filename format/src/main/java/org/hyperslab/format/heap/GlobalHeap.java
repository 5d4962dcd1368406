package org.hyperslab.format.heap;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The global heap of one open file: objects of any size below 2^30 bytes, in collections. Create
 * one heap for a file and keep it while the file is open: it records the room in every collection
 * that it has filled, emptied or read from in order to edit.
 *
 * <p>A new object goes to the collection that was filled last, otherwise to the one with the least
 * sufficient room, and only then to a new one. Collections without objects are freed. New
 * collections have at least 4,096 bytes and grow with the size of the heap, so that a million short
 * strings need few collections, and the unused part of the last one is relatively small.
 *
 * <p>Thread rule: {@link #content} in any number of threads; everything else in one thread under
 * the file's write lock.
 *
 * <p>Source: HDF5 File Format Specification, III.E; reference {@code H5HG.c}.
 */
public final class GlobalHeap {

  private static final int GREATEST_USUAL_BYTES = 1 << 18;

  /** The share of the size of all earlier collections, as a divisor, that a new collection gets. */
  private static final int GROWTH_SHARE = 4;

  private static final long NOWHERE = -1;

  /** The key of the heap's flush task; no structure has this address. */
  private static final long TASK_KEY = Long.MIN_VALUE;

  /**
   * The share of the JVM's maximum memory, as a divisor, that edited collections may take until
   * they are written.
   */
  private static final int MEMORY_SHARE = 16;

  /**
   * The least room for content in bytes; collections with less are not considered until they gain
   * room.
   */
  private static final int MIN_ROOM_BYTES = 8;

  private static final int PREFIX_BYTES = 16;

  private final MetadataSpace space;

  /** The room of each collection that has some, except the current collection. */
  private final TreeSet<Room> rooms = new TreeSet<>();

  private final Map<Long, Integer> roomByAddress = new HashMap<>();

  /** The collections edited since the last flush, and their sizes in the file. */
  private final Map<Long, Long> editedBytes = new HashMap<>();

  private final Set<Long> empty = new HashSet<>();

  /** The collections whose room was looked up before objects were removed from them. */
  private final Set<Long> considered = new HashSet<>();

  private long editedTotal;

  /**
   * The address of the collection that was filled last, or -1. Its room is not among {@link
   * #rooms}.
   */
  private long current = NOWHERE;

  /**
   * The address of a collection from which objects were removed and whose room is not recorded yet,
   * or -1.
   */
  private long gained = NOWHERE;

  private long takenBytes;

  /** A collection's room for content, in bytes. */
  private record Room(int bytes, long address) implements Comparable<Room> {
    @Override
    public int compareTo(Room other) {
      int order = Integer.compare(bytes, other.bytes);
      return order != 0 ? order : Long.compare(address, other.address);
    }
  }

  /**
   * Opens the global heap of a file.
   *
   * @param space the metadata of the file
   */
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
   * {@return the content of an object, as a read-only view that is valid until the next edit of the
   * heap}
   *
   * @param id the object's collection and index
   * @throws CorruptFileException if there is no collection at that address
   * @throws org.hyperslab.error.NotFoundException if the collection has no such object
   */
  public MemorySegment content(GlobalHeapId id) {
    return collection(id.collectionAddress()).content(id.index());
  }

  /**
   * {@return the number of objects in a collection}
   *
   * @param collectionAddress the address of the collection
   */
  public int objectCount(long collectionAddress) {
    return collection(collectionAddress).objectCount();
  }

  /**
   * Stores an object with reference count 0, as the reference implementation does for
   * variable-length data.
   *
   * @param content the bytes
   * @return the id of the object
   * @throws InvalidUseException if it has 2^30 bytes or more
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
    if (target.isEmpty()) {
      empty.remove(target.address());
    }
    int index = target.insert(content);
    edited(target);
    return new GlobalHeapId(target.address(), index);
  }

  private GlobalHeapCollection roomFor(int size, int overhead) {
    GlobalHeapCollection before = current == NOWHERE ? null : collection(current);
    if (before != null && before.largestInsertion() >= size && mayGrow(before)) {
      return before;
    }
    noteGain();
    Room least = space.movesEdited() ? null : rooms.ceiling(new Room(size, Long.MIN_VALUE));
    GlobalHeapCollection next = least == null ? made(size, overhead) : collection(least.address());
    current = next.address();
    forget(current);
    if (before != null) {
      remember(before);
    }
    return next;
  }

  /**
   * Returns whether objects may be added to a collection. Readers of other processes keep what they
   * have read of it, and it has no checksum, so one that they may know stays as it is.
   */
  private boolean mayGrow(GlobalHeapCollection collection) {
    return !space.movesEdited() || space.isNew(collection.address(), collection.encodedSize());
  }

  private void edited(GlobalHeapCollection collection) {
    long address = collection.address();
    space.markDirty(address, collection);
    if (!space.isNew(address, collection.encodedSize())
        && editedBytes.put(address, collection.encodedSize()) == null) {
      editedTotal += collection.encodedSize();
      beforeFlush();
    }
  }

  private void beforeFlush() {
    space.beforeFlush(TASK_KEY, this::settle);
  }

  /** Frees collections without objects; the recorded room of the others stays. */
  private void settle() {
    List.copyOf(empty).forEach(this::release);
    editedBytes.clear();
    editedTotal = 0;
  }

  private GlobalHeapCollection made(int size, int overhead) {
    long needed = GlobalHeapCollection.aligned(size) + (long) overhead;
    long usual =
        Math.clamp(
            takenBytes / GROWTH_SHARE, GlobalHeapCollection.MINIMUM_BYTES, GREATEST_USUAL_BYTES);
    int bytes = (int) Math.max(usual & -GlobalHeapCollection.MINIMUM_BYTES, needed);
    long address = space.allocate(SpaceKind.GLOBAL_HEAP, bytes);
    GlobalHeapCollection made = GlobalHeapCollection.create(space.geometry(), address, bytes);
    space.insert(address, made);
    takenBytes += bytes;
    return made;
  }

  /** Records the room of a collection. */
  private void remember(GlobalHeapCollection collection) {
    int bytes = collection.largestInsertion();
    long address = collection.address();
    Integer known = roomByAddress.get(address);
    if (known != null && known == bytes) {
      return;
    }
    forget(address);
    if (bytes >= MIN_ROOM_BYTES) {
      rooms.add(new Room(bytes, address));
      roomByAddress.put(address, bytes);
    }
  }

  /** Records the room of the collection from which objects were removed last. */
  private void noteGain() {
    if (gained != NOWHERE && gained != current) {
      remember(collection(gained));
    }
    gained = NOWHERE;
  }

  private void forget(long address) {
    Integer known = roomByAddress.remove(address);
    if (known != null) {
      rooms.remove(new Room(known, address));
    }
  }

  /**
   * Announces that objects of a collection are about to be replaced, so that the collection accepts
   * new objects if it has room.
   *
   * @param collectionAddress the address of the collection
   * @throws CorruptFileException if there is no collection at that address
   */
  public void consider(long collectionAddress) {
    if (collectionAddress != current && considered.add(collectionAddress)) {
      remember(collection(collectionAddress));
    }
  }

  /**
   * Removes an object. A collection without objects is freed before the next flush, because until
   * then it is the first to accept new objects, or at once if too much edited data waits in memory.
   *
   * @param id the object's collection and index
   */
  public void remove(GlobalHeapId id) {
    long address = id.collectionAddress();
    GlobalHeapCollection collection = collection(address);
    collection.remove(id.index());
    edited(collection);
    if (current != address && gained != address) {
      noteGain();
      gained = address;
    }
    if (collection.isEmpty()) {
      empty.add(address);
      if (editedTotal > Runtime.getRuntime().maxMemory() / MEMORY_SHARE) {
        release(address);
      } else {
        beforeFlush();
      }
    }
  }

  private void release(long address) {
    long bytes = collection(address).encodedSize();
    empty.remove(address);
    forget(address);
    considered.remove(address);
    current = current == address ? NOWHERE : current;
    gained = gained == address ? NOWHERE : gained;
    Long waiting = editedBytes.remove(address);
    editedTotal -= waiting == null ? 0 : waiting;
    takenBytes = Math.max(0, takenBytes - bytes);
    space.discard(address);
    space.free(SpaceKind.GLOBAL_HEAP, address, bytes);
  }

  /**
   * {@return the reference count of an object, 0 to 65,535}
   *
   * @param id the object's collection and index
   */
  public int references(GlobalHeapId id) {
    return collection(id.collectionAddress()).references(id.index());
  }
}
