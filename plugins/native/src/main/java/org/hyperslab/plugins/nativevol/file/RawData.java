package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.plugins.nativevol.space.Allocator;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.space.PlacedEnds;
import org.hyperslab.plugins.nativevol.space.TailMove;
import org.hyperslab.plugins.nativevol.store.SplitView;

/**
 * The raw data of an open file: its bytes, and the space that was allocated to datasets since the
 * file was opened. Addresses are bytes from the file's base address.
 *
 * <p>Thread rule: as {@link NativeFile}: space is allocated under the write lock, bytes are moved
 * under either lock.
 */
public final class RawData {

  /** The least and the most bytes by which the store is made longer than needed at once. */
  private static final long LEAST_AHEAD_BYTES = 1 << 20;

  private static final long MOST_AHEAD_BYTES = 64 << 20;

  private final ByteStore store;

  /** The bytes around small pieces, of a file that does not change. */
  private final Optional<RawWindow> window;

  private final long baseAddress;
  private final boolean split;
  private final Allocator allocator;
  private final MetadataSpace metadata;
  private final Committer committer;

  /** The ends of the space allocated to datasets, the greatest of each, by header address. */
  private final PlacedEnds placed = new PlacedEnds();

  private volatile boolean placesAreKnownOutside;

  /** Whether the store may be longer than the file while it is being edited. */
  private final boolean extendsAhead;

  /** The length to which the store was extended, in bytes; 0 if it was not since the last flush. */
  private long extended;

  /** The end of what the store is known to hold, as an address; 0 if it is not known. */
  private volatile long held;

  /**
   * Creates the raw data of a file that was just opened.
   *
   * @param unchanging whether the file does not change while it is open
   */
  RawData(
      ByteStore store,
      long baseAddress,
      Allocator allocator,
      MetadataSpace metadata,
      Committer committer,
      boolean unchanging) {
    this.store = store;
    this.window = unchanging ? Optional.of(new RawWindow(store)) : Optional.empty();
    this.baseAddress = baseAddress;
    this.split = store instanceof SplitView;
    this.extendsAhead = !(store instanceof FamilyStore);
    this.allocator = allocator;
    this.metadata = metadata;
    this.committer = committer;
  }

  /**
   * {@return the datasets whose raw data may be moved: those to which space was allocated since the
   * file was opened, with the greatest end of that space} Under the write lock.
   */
  PlacedEnds movableDatasets() {
    return placesAreKnownOutside ? new PlacedEnds() : placed;
  }

  /**
   * {@return the address of newly allocated raw data space for a dataset} Under the write lock.
   *
   * @param header the address of the dataset's header
   * @param sizeBytes the number of bytes
   */
  public long allocate(long header, long sizeBytes) {
    long address = metadata.allocate(SpaceKind.RAW_DATA, sizeBytes);
    placed.add(header, address + sizeBytes);
    return address;
  }

  /**
   * Forgets a dataset that was deleted.
   *
   * @param header the address of the dataset's header
   */
  public void forget(long header) {
    placed.remove(header);
  }

  /** Excludes raw data from moves from then on, because its places are known outside this file. */
  public void keepPlaces() {
    placesAreKnownOutside = true;
  }

  /**
   * Reads raw data at an address.
   *
   * @param address the address of the first byte, from the file's base address
   * @param target the memory to read into
   */
  public void read(long address, MemorySegment target) {
    check(address, target.byteSize());
    if (!readWindow(address, target)) {
      store.read(baseAddress + address, target);
    }
  }

  /** Reads a small piece, if the file does not change and the store holds it. */
  private boolean readWindow(long address, MemorySegment target) {
    if (window.isEmpty()) {
      return false;
    }
    long end = held;
    if (end == 0) {
      end = store.size() - baseAddress;
      held = end;
    }
    return address + target.byteSize() <= end
        && window.get().read(baseAddress + address, target, baseAddress + end);
  }

  /** Forgets what was read of a file that may have changed since. */
  void forget() {
    held = 0;
    window.ifPresent(RawWindow::forget);
  }

  /**
   * Reads raw data of which the store may not hold the end yet, which then reads as zeros. The
   * store is asked for its size only beyond what it is known to hold, because that is a call of the
   * system.
   *
   * @param address the address of the first byte, from the file's base address
   * @param target the memory to read into
   * @throws StorageException if the store is shorter than it was: another program has cut the file
   */
  public void readAllocated(long address, MemorySegment target) {
    long length = target.byteSize();
    check(address, length);
    if (address + length <= held) {
      try {
        read(address, target);
        return;
      } catch (StorageException failure) {
        held = 0;
        if (storedBytes(address, length) == length) {
          throw failure; // the store is not shorter than it was
        }
      }
    }
    long stored = storedBytes(address, length);
    if (stored > 0) {
      store.read(baseAddress + address, target.asSlice(0, stored));
    }
    target.asSlice(stored).fill((byte) 0);
  }

  /**
   * Reads consecutive bytes at an address into several segments.
   *
   * @param address the address of the first byte, from the file's base address
   * @param targets the memory to read into, segment after segment
   */
  public void read(long address, MemorySegment[] targets) {
    store.read(baseAddress + check(address, 0), targets);
  }

  /** {@return whether {@link #prefetch} has an effect: the file is remote} */
  public boolean prefetches() {
    return store.prefetches();
  }

  /**
   * Announces raw data that will be read soon.
   *
   * @param addresses the start of each range, bytes from the file's base address; not changed
   * @param lengths the length of each range in bytes
   */
  public void prefetch(long[] addresses, long[] lengths) {
    long[] offsets = new long[addresses.length];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = baseAddress + addresses[i];
    }
    store.prefetch(offsets, lengths);
  }

  /**
   * Writes raw data at an address.
   *
   * @param address the address of the first byte, from the file's base address
   * @param source the memory to write from
   */
  public void write(long address, MemorySegment source) {
    committer.rawWritten();
    store.write(baseAddress + check(address, source.byteSize()), source);
  }

  /**
   * Writes several segments to consecutive bytes at an address.
   *
   * @param address the address of the first byte, from the file's base address
   * @param sources the memory to write from, segment after segment
   */
  public void write(long address, MemorySegment[] sources) {
    committer.rawWritten();
    store.write(baseAddress + check(address, 0), sources);
  }

  /**
   * Records that raw data was written without this object, so that the next flush makes it durable.
   */
  public void written() {
    committer.rawWritten();
  }

  /**
   * Extends the store at least to the end of all allocations, for readers that bypass this file.
   * Under the write lock. The store becomes longer than needed, so that many allocations extend it
   * a few times; {@link #cutStore} removes the excess.
   */
  public void extendStore() {
    long end = baseAddress + allocator.endOfFile();
    if (end <= extended) {
      return;
    }
    long size = extended > 0 ? extended : store.size();
    extended = size < end ? lengthened(end) : size;
  }

  /** Makes the store longer than {@code end}, and returns its length. */
  private long lengthened(long end) {
    boolean isAhead = extendsAhead && !committer.publishes();
    long ahead = isAhead ? Math.clamp(end, LEAST_AHEAD_BYTES, MOST_AHEAD_BYTES) : 0;
    store.truncate(end + ahead);
    return end + ahead;
  }

  /**
   * Cuts what {@link #extendStore} has added after the end of the file. Under the write lock, after
   * a flush, which has made the store at least as long as the file.
   *
   * @param end the end of the file in the store, in bytes
   */
  void cutStore(long end) {
    if (extended > end) {
      store.truncate(end);
    }
    extended = 0;
    held = 0;
  }

  /**
   * Reserves blocks of the file system for a range, as far as the system can without writing. A
   * full file system is no error before something is written.
   *
   * @param address the address of the first byte, from the file's base address
   * @param length the number of bytes
   */
  public void reserve(long address, long length) {
    try {
      store.preallocate(baseAddress + check(address, length), length);
    } catch (StorageException noRoom) {
      // The places stay without blocks, and whoever writes to them gets the error.
    }
  }

  /**
   * Requires that a range lies within the file, before memory is allocated for it.
   *
   * @param address the address of the first byte, from the file's base address
   * @param length the number of bytes
   */
  public void require(long address, long length) {
    check(address, length);
  }

  private long check(long address, long length) {
    if (split && address != FileGeometry.UNDEFINED) {
      return address;
    }
    long end = allocator.endOfFile();
    if (address < 0 || length > end || address > end - length) {
      throw new CorruptFileException(
          store.name(),
          "raw data",
          address < 0 ? CorruptFileException.NO_OFFSET : baseAddress + address,
          length + " bytes at address " + address + ", expected=within the end of file " + end);
    }
    return address;
  }

  /**
   * {@return the number of bytes from an address on that the store already holds; the rest was
   * allocated since the last flush and reads as zeros}
   *
   * @param address the address of the first byte, from the file's base address
   * @param length the number of bytes
   * @throws StorageException if the store is shorter than it was: another program has cut the file
   */
  public long storedBytes(long address, long length) {
    if (split) {
      return length;
    }
    long size = store.size();
    long stored = Math.clamp(size - baseAddress - address, 0, length);
    if (stored < length && address + stored < allocator.flushedEnd()) {
      throw cut(store.name(), size, baseAddress + allocator.flushedEnd());
    }
    held = size - baseAddress;
    return stored;
  }

  /**
   * {@return the failure of an access to a file that another program has made shorter}
   *
   * @param file the file's name
   * @param size the size of the store in bytes
   * @param expected the least size that the store had before
   */
  public static StorageException cut(String file, long size, long expected) {
    return new StorageException(
        "file became shorter while it is open: actual="
            + size
            + " bytes, expected=at least "
            + expected
            + ", at="
            + file
            + "; another program has cut or replaced it: restore it from a complete copy");
  }

  /**
   * {@return the number of bytes of newly allocated space, from its first on, that may hold other
   * bytes than zeros} Under the write lock.
   *
   * @param address the address of the first byte, from the file's base address
   * @param length the number of bytes
   */
  public long usedBytes(long address, long length) {
    long used = allocator.usedBytes(address, length);
    return used == 0 ? 0 : storedBytes(address, used);
  }

  /**
   * {@return whether a range was allocated since the last flush as a whole, so that nothing durable
   * refers to it}
   *
   * @param address the address of the first byte, from the file's base address
   * @param length the number of bytes
   */
  public boolean isFresh(long address, long length) {
    return allocator.isFresh(address, length);
  }

  /**
   * {@return whether raw data of this size may be placed at any address, without gaps}
   *
   * @param bytes the number of bytes
   */
  public boolean packs(long bytes) {
    return allocator.packsRaw(bytes);
  }

  /** Moves raw data as planned. Under the write lock. */
  void move(TailMove.Move move) {
    committer.rawWritten();
    move.copy(store, baseAddress);
    MovableExtent extent = move.extent();
    long from = extent.address();
    extent.refer(move.to());
    metadata.free(SpaceKind.RAW_DATA, from, extent.sizeBytes());
  }
}
