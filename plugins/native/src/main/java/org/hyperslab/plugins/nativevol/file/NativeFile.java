package org.hyperslab.plugins.nativevol.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;

/**
 * An open file: store, metadata in memory, file space, lock, and when to flush.
 *
 * <p><b>What a completed flush promises.</b> Everything edited before it survives the death of the
 * process and, with {@link Durability#POWER_CUT}, a power cut, at any later instant; until a flush
 * completes, the file on disk is what the flush before left. Only elements without filters that are
 * written over elements that a flush has already made part of the file are changed in place at
 * once; after a crash each of their bytes is an old or a new one. Elements that refer to heaps
 * (variable length, region references), filtered chunks, compact data, and chunks that shrinking
 * cuts are never changed in place; but chunks in an implicit index are, for they cannot move.
 *
 * <p><b>How.</b> No structure that a durable structure may refer to is overwritten between flushes:
 * edited blocks wait in memory, new ones go to space that nothing durable refers to, and freed
 * space is reused only after the flush. {@link Committer} says how a flush makes the edits durable
 * in one instant. A new file gets its superblock last, so that until its first flush it is no HDF5
 * file at all.
 *
 * <p><b>Failures.</b> An edit that fails half-way, for reasons other than wrong use, may leave
 * structures in memory that contradict each other. The file then refuses everything but closing,
 * which writes nothing: on disk stays what the last flush left.
 *
 * <p>Thread rule: any thread; edits run under the write lock, look-ups under the read lock, raw
 * data moves under the read lock.
 */
public final class NativeFile implements AutoCloseable {

  private static final long DEFAULT_METADATA_BYTES = 32L << 20;

  /**
   * The divisor of the cache's size that bounds new metadata in space that the next flush frees.
   */
  private static final int JOURNALLED_SHARE = 4;

  private final ByteStore store;
  private final OpenOptions options;
  private final boolean writable;
  private final long fileNumber;
  private final long baseAddress;
  private final FileGeometry geometry;
  private final Allocator allocator;
  private final MetadataCache metadata;
  private final Committer committer;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Set<FlushParticipant> participants = ConcurrentHashMap.newKeySet();
  private final Map<Long, long[]> flushedExtents = new ConcurrentHashMap<>();
  private Superblock superblock;
  private volatile Throwable broken;
  private final boolean followsWriter;
  private final boolean publishes;
  private final SuperblockExtension extension;
  private final RawData raw;
  private final AtomicLong generation = new AtomicLong();
  private boolean edited;
  private boolean closed;

  private NativeFile(
      ByteStore store,
      Superblock superblock,
      OpenOptions options,
      SpacePolicy policy,
      long fileNumber) {
    this.store = store;
    this.options = options;
    this.writable = !store.readOnly();
    this.followsWriter = options.swmr() && !writable;
    this.publishes = options.swmr() && writable && superblock.isMarked(Superblock.OPEN_FOR_SWMR);
    this.fileNumber = fileNumber;
    this.superblock = superblock;
    this.baseAddress = superblock.baseAddress();
    this.geometry = superblock.geometry();
    // A file split by kind of data has addresses beyond 2^63; it can only be read.
    boolean split = store instanceof SplitView;
    long end = split ? Long.MAX_VALUE : superblock.endOfFile() - baseAddress;
    if (followsWriter) {
      end = Math.max(0, store.size() - baseAddress); // the superblock is updated at the end only
    }
    this.allocator = new Allocator(store.name(), geometry.sizeOfOffsets(), end, policy);
    long memory =
        options.cacheBytes() > 0
            ? Math.max(1 << 16, options.cacheBytes() / 4)
            : DEFAULT_METADATA_BYTES;
    allocator.setMostJournalledBytes(publishes ? 0 : memory / JOURNALLED_SHARE);
    this.metadata = new MetadataCache(store, geometry, baseAddress, allocator, memory, publishes);
    this.extension = new SuperblockExtension(metadata, allocator, superblock.extensionAddress());
    boolean durable = options.durability() == Durability.POWER_CUT;
    this.committer = new Committer(store, geometry, baseAddress, durable, publishes, this::fail);
    this.raw = new RawData(store, baseAddress, allocator, metadata, committer);
  }

  /**
   * Returns a new file on an empty store. It needs a root group before it is flushed.
   *
   * @param superblock with the end of file just behind itself
   */
  static NativeFile create(
      ByteStore store,
      Superblock superblock,
      OpenOptions options,
      SpacePolicy policy,
      long fileNumber) {
    return new NativeFile(store, superblock, options, policy, fileNumber);
  }

  /**
   * Returns the file on a store whose superblock has been read and whose journal has been applied.
   */
  static NativeFile open(
      ByteStore store,
      Superblock superblock,
      OpenOptions options,
      SpacePolicy policy,
      long fileNumber) {
    NativeFile file = new NativeFile(store, superblock, options, policy, fileNumber);
    file.committer.committed(superblock);
    return file;
  }

  /** {@return its path or URI} */
  public String name() {
    return store.name();
  }

  /**
   * Distinguishes open files of one connector.
   *
   * @return a number that no other open file of the connector has
   */
  public long fileNumber() {
    return fileNumber;
  }

  /** {@return whether it may be edited} */
  public boolean writable() {
    return writable;
  }

  /** {@return the options with which it was opened first} */
  public OpenOptions options() {
    return options;
  }

  /** {@return the sizes of addresses and lengths} */
  public FileGeometry geometry() {
    return geometry;
  }

  /** {@return the superblock as edited} */
  public Superblock superblock() {
    return superblock;
  }

  /** {@return bytes before the superblock, to be added to every address} */
  public long baseAddress() {
    return baseAddress;
  }

  /** {@return its raw data} */
  public RawData raw() {
    return raw;
  }

  /** {@return its metadata} */
  public MetadataSpace metadata() {
    return metadata;
  }

  /** {@return its length in bytes once flushed, user block included} */
  public long sizeBytes() {
    return baseAddress + allocator.endOfFile();
  }

  /** {@return bytes in it that are known to be free} */
  public long freeBytes() {
    return allocator.freeBytes();
  }

  /**
   * Sets where the root group is; in superblocks of version 0 and 1 with its symbol table.
   *
   * @param headerAddress the address of the root group's header
   * @param cache where the root group's symbol table is
   */
  public void setRoot(long headerAddress, SymbolTableEntry.Cache cache) {
    superblock = superblock.withRoot(headerAddress, cache);
  }

  /** {@return the content of the superblock extension} */
  public SuperblockExtension extension() {
    return extension;
  }

  /**
   * Makes the superblock extension of a new file if its options need one. Under the write lock.
   *
   * @param creation how the file is created
   */
  public void createExtension(CreateOptions creation) {
    extension.create(creation, superblock.version(), familyMemberBytes());
    superblock = superblock.withExtension(extension.address());
  }

  /**
   * Sets the size of pages; before anything is allocated.
   *
   * @param pageBytes the size of pages
   */
  public void setPageBytes(long pageBytes) {
    allocator.setPageBytes(pageBytes);
  }

  /**
   * {@return whether an edit or a flush failed half-way, so that nothing but closing is possible}
   */
  public boolean isBroken() {
    return broken != null;
  }

  /**
   * {@return a number that grows with every change of metadata or of file space, and with the
   * generation} Under the file's lock.
   */
  public long edits() {
    return metadata.edits() + generation.get();
  }

  /**
   * {@return a number that grows whenever what was decoded from the file has to be read again,
   * because another process may have written it since} It stays 0 in a file that is edited here.
   */
  public long generation() {
    return generation.get();
  }

  /**
   * Registers a holder of edits.
   *
   * @param participant the component that holds edits in memory
   */
  public void addParticipant(FlushParticipant participant) {
    participants.add(participant);
  }

  /**
   * Forgets a holder of edits, which holds none any more.
   *
   * @param participant the component that holds edits in memory
   */
  public void removeParticipant(FlushParticipant participant) {
    participants.remove(participant);
  }

  /**
   * {@return whether readers of other processes follow the writes to this file: appended data only}
   */
  public boolean publishes() {
    return publishes;
  }

  /**
   * Runs a look-up under the read lock. In a file that another process is writing, what does not
   * fit together is read again.
   *
   * @param <T> the type of the result
   * @param action the action to run
   * @return the result of the action
   */
  public <T> T read(Supplier<T> action) {
    boolean mayRepeat = followsWriter && lock.getReadHoldCount() == 0;
    return mayRepeat ? ReadRetry.attempt(() -> readOnce(action), this::reread) : readOnce(action);
  }

  private void reread() {
    allocator.grown(store.size() - baseAddress);
    forgetDecoded();
  }

  private void forgetDecoded() {
    lock.writeLock().lock();
    try {
      metadata.forgetClean();
      generation.incrementAndGet();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Discards the cached state of a file that another process may have changed since. */
  public void refresh() {
    if (!writable) {
      if (followsWriter) {
        allocator.grown(store.size() - baseAddress);
      }
      forgetDecoded();
    }
  }

  private <T> T readOnce(Supplier<T> action) {
    lock.readLock().lock();
    try {
      requireUsable();
      return action.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Runs an edit under the write lock.
   *
   * @param <T> the type of the result
   * @param action the action to run
   * @return the result of the action
   * @throws InvalidUseException if the file was opened for reading
   */
  public <T> T edit(Supplier<T> action) {
    lock.writeLock().lock();
    try {
      requireUsable();
      requireWritable();
      long before = metadata.edits();
      try {
        prepareFirstEdit();
        T result = action.get();
        metadata.relieve();
        return result;
      } catch (InvalidUseException
          | NotFoundException
          | AlreadyExistsException
          | UnsupportedFeatureException refused) {
        throw refused;
      } catch (RuntimeException | Error failure) {
        if (metadata.edits() != before) {
          broken = failure;
        }
        throw failure;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void prepareFirstEdit() {
    if (!edited) {
      edited = true;
      extension.beforeFirstEdit();
    }
  }

  private void requireWritable() {
    if (!writable) {
      throw new InvalidUseException(
          "edit: actual=file opened for reading, expected=opened for editing, at=" + name());
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + name());
    }
    if (broken != null) {
      throw new StorageException(
          "file: actual=unusable because an earlier edit or flush failed half-way, expected=usable,"
              + " at="
              + name()
              + "; close it and open it again: it is as the last flush left it",
          broken);
    }
  }

  /** {@return the size of its members if it is a family of files, bytes} */
  public Optional<Long> familyMemberBytes() {
    return store instanceof FamilyStore family
        ? Optional.of(family.memberBytes())
        : Optional.empty();
  }

  /**
   * Records that an edit failed half-way outside of this file: only closing is possible.
   *
   * @param cause the failure
   */
  public void fail(Throwable cause) {
    broken = cause;
  }

  /**
   * Remembers the extent that a dataset had at the last flush, now that it changes.
   *
   * @param header the address of the dataset's header
   * @param from the extent until now
   */
  public void extentChanges(long header, long[] from) {
    flushedExtents.putIfAbsent(header, from.clone());
  }

  /**
   * {@return the extent that a dataset had at the last flush, if it was changed since then, or
   * null}
   *
   * @param header the address of the dataset's header
   */
  public long[] flushedExtent(long header) {
    return flushedExtents.get(header);
  }

  /** Lets holders of edits write them, without a flush. Under the write lock. */
  public void prepareFlush() {
    participants.forEach(FlushParticipant::beforeFlush);
  }

  /** Makes all edits durable; does nothing if the file was opened for reading. */
  public void flush() {
    lock.writeLock().lock();
    try {
      requireUsable();
      if (writable) {
        prepareFlush();
        metadata.runTasks();
        flush(allocator.endOfFile());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Closes the file like {@link #close(Function)}, but moves no raw data. */
  @Override
  public void close() {
    close(headers -> List.of());
  }

  /**
   * Flushes, cuts off free space at the end, and closes the store, even if the flush fails.
   *
   * @param movables returns the raw data that may move of the datasets whose headers are at some
   *     addresses; called under the write lock
   */
  public void close(Function<Set<Long>, List<MovableExtent>> movables) {
    lock.writeLock().lock();
    try {
      if (!closed) {
        try {
          flushForClose(movables);
          if (writable && broken == null) {
            store.complete();
          }
        } finally {
          closed = true;
          store.close();
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Closes the store and writes nothing: the file stays as the last flush left it. */
  public void abandon() {
    lock.writeLock().lock();
    try {
      closed = true;
      store.close();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void flushForClose(Function<Set<Long>, List<MovableExtent>> movables) {
    if (writable && broken == null) {
      prepareFlush();
      metadata.runTasks();
      shrink(movables);
      if (superblock.markedOpen()) {
        superblock = superblock.withConsistencyFlags(0);
      }
      long end = allocator.endOfFileWhenTrimmed();
      end = publishes ? end : extension.keepFreeSpace(end);
      flush(end);
      if (store.size() > baseAddress + end) {
        store.truncate(baseAddress + end);
      }
    }
  }

  /**
   * Moves raw data that this opening has put at the end of the file into space that it has freed,
   * if much can be cut off then. Such space takes new data only after the flush that makes it free,
   * so that without this a file would grow by whatever is replaced in one opening.
   */
  private void shrink(Function<Set<Long>, List<MovableExtent>> movables) {
    long end = allocator.endOfFile();
    Set<Long> datasets = raw.movableDatasets();
    if (publishes || datasets.isEmpty()) {
      return;
    }
    if (!TailMove.isWorth(allocator.freeBytes(), end)) {
      return;
    }
    List<MovableExtent> extents = new ArrayList<>(movables.apply(datasets));
    TailMove plan = allocator.planTailMove(extents);
    if (plan.moves().isEmpty()
        || !TailMove.isWorth(allocator.endOfFileWhenTrimmed() - plan.end(), end)) {
      return;
    }
    flush(allocator.endOfFile());
    plan.moves().forEach(move -> allocator.claim(move.to(), move.extent().sizeBytes()));
    plan.moves().forEach(raw::move);
    metadata.runTasks();
  }

  private void flush(long end) {
    superblock = superblock.withEndOfFile(baseAddress + end);
    if (metadata.clean() && committer.isCommitted(superblock)) {
      committer.forceRaw();
      return;
    }
    extension.beforeEndIsWritten(end);
    metadata.writeFresh();
    List<CachedBlock> overwritten = metadata.dirtyDurable();
    committer.commit(superblock, overwritten, baseAddress + allocator.endOfFile());
    metadata.written(overwritten);
    allocator.flushed(publishes);
    flushedExtents.clear();
  }
}
