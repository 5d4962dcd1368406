package org.hyperslab.plugins.nativevol.file;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.space.Allocator;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.space.SpacePolicy;
import org.hyperslab.plugins.nativevol.statistics.ValueStatistics;
import org.hyperslab.plugins.nativevol.store.KnownProperties;
import org.hyperslab.plugins.nativevol.store.SplitView;

/**
 * An open file: its store, lock, file space and metadata in memory, and its flushes.
 *
 * <p><b>The promise of a completed flush.</b> Every earlier edit survives the death of the process
 * and, with {@link Durability#POWER_CUT}, a power cut, at any later instant; until a flush
 * completes, the file on disk has the state of the previous flush. There is one exception: elements
 * without filters that overwrite elements of a previous flush are written in place at once; after a
 * crash each of their bytes is either old or new. Elements that refer to heaps (variable length,
 * region references), filtered chunks, compact data, and chunks cut by shrinking the dataset are
 * never changed in place, except chunks in an implicit index, which cannot move.
 *
 * <p><b>How.</b> Between flushes, no structure that a durable structure may refer to is
 * overwritten: edited blocks stay in memory, new ones go to space that nothing durable refers to,
 * and freed space is reused only after the flush. {@link Committer} describes how a flush commits
 * the edits atomically. The superblock of a new file is written last, so that until its first flush
 * it is not an HDF5 file.
 *
 * <p><b>Failures.</b> An edit that fails half-way, for reasons other than invalid use, may leave
 * structures in memory that contradict each other. The file then refuses everything except closing,
 * which writes nothing: the file on disk keeps the state of the last flush.
 *
 * <p>Thread rule: any thread; edits run under the write lock, look-ups and raw data transfers under
 * the read lock.
 */
public final class NativeFile implements AutoCloseable {

  /** The property of an opening with which closing drops edits that were not flushed. */
  static final String DROP_UNFLUSHED = "dropUnflushed";

  private static final long DEFAULT_METADATA_BYTES = 32L << 20;

  /**
   * The share of the JVM's heap, as a divisor, that metadata may take unless a limit was asked for.
   * It is counted in encoded bytes, and takes several times as many when it is decoded.
   */
  private static final int HEAP_SHARE = 32;

  private static final long MIN_METADATA_BYTES = 1 << 16;

  /**
   * The property of an opening that limits the metadata kept in memory, in encoded bytes. A program
   * that visits each object once needs little, and what it does not keep is never copied by the
   * garbage collector.
   */
  private static final String METADATA_BYTES = "metadata.bytes";

  /**
   * The share of the cache's size, as a divisor, that new metadata in space whose release awaits a
   * flush may take.
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
  private volatile Throwable broken;

  /** The last failure of an edit that left the metadata whole; see {@link #attempt}. */
  private Throwable harmless;

  /** Whether the failure has taken edits that had succeeded. */
  private volatile boolean losesEdits;

  /** The number of edits at the last flush. */
  private volatile long flushedEdits;

  private final boolean followsWriter;
  private final SuperblockExtension extension;
  private final RawData raw;
  private final FileFlush flush;
  private final AtomicLong generation = new AtomicLong();
  private volatile boolean steps;
  private final ValueStatistics statistics = new ValueStatistics();
  private final FileSeal seal;
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
    boolean publishes = options.swmr() && writable && superblock.isMarked(Superblock.OPEN_FOR_SWMR);
    this.fileNumber = fileNumber;
    this.baseAddress = superblock.baseAddress();
    this.geometry = superblock.geometry();
    // A split or multi file has addresses beyond 2^63; it can only be read.
    boolean split = store instanceof SplitView;
    long end = split ? Long.MAX_VALUE : superblock.endOfFile() - baseAddress;
    if (followsWriter) {
      // A SWMR writer updates the superblock only when it closes the file.
      end = Math.max(0, store.size() - baseAddress);
    }
    this.allocator = new Allocator(store.name(), geometry.sizeOfOffsets(), end, policy);
    long memory = metadataBytes(options);
    allocator.setMostJournalledBytes(publishes ? 0 : memory / JOURNALLED_SHARE);
    boolean unchanging = !writable && !followsWriter && store instanceof FileStore;
    this.metadata =
        new MetadataCache(store, geometry, baseAddress, allocator, memory, publishes, unchanging);
    this.extension = new SuperblockExtension(metadata, allocator, superblock.extensionAddress());
    boolean durable = options.durability() == Durability.POWER_CUT;
    this.seal = new FileSeal(store, durable);
    this.committer = new Committer(store, geometry, baseAddress, durable, publishes, this::fail);
    this.raw = new RawData(store, baseAddress, allocator, metadata, committer, unchanging);
    this.flush = new FileFlush(store, superblock, allocator, metadata, committer, extension, raw);
  }

  /** Returns the limit of decoded metadata: the property's, or a share of the caches'. */
  private static long metadataBytes(OpenOptions options) {
    String asked = options.properties().get(METADATA_BYTES);
    if (asked == null) {
      return options.cacheBytes() > 0
          ? Math.max(MIN_METADATA_BYTES, options.cacheBytes() / 4)
          : Math.min(DEFAULT_METADATA_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }
    try {
      return Math.max(MIN_METADATA_BYTES, Long.parseLong(asked));
    } catch (NumberFormatException wrong) {
      throw new InvalidUseException(
          METADATA_BYTES + ": actual=" + asked + ", expected=a number of bytes", wrong);
    }
  }

  /**
   * Creates a file in an empty store. It needs a root group before it is flushed.
   *
   * @param superblock the superblock, with the end of the file just after itself
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
   * Opens the file in a store whose superblock has been read and whose journal has been applied.
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

  /** {@return the file's path or URI} */
  public String name() {
    return store.name();
  }

  /**
   * Returns a number that distinguishes the open files of one connector.
   *
   * @return a number that no other open file of the connector has
   */
  public long fileNumber() {
    return fileNumber;
  }

  /** {@return whether the file may be edited} */
  public boolean writable() {
    return writable;
  }

  /** {@return the options with which the file was first opened} */
  public OpenOptions options() {
    return options;
  }

  /** {@return whether encoded chunks are checked before they are written} */
  public boolean verifiesWrites() {
    return verifiesWrites(options);
  }

  /**
   * {@return whether options have encoded chunks checked before they are written}
   *
   * @param options the options of an opening
   */
  public static boolean verifiesWrites(OpenOptions options) {
    return KnownProperties.verifiesWrites(options);
  }

  /** {@return the sizes of addresses and lengths} */
  public FileGeometry geometry() {
    return geometry;
  }

  /** {@return the superblock as edited} */
  public Superblock superblock() {
    return flush.superblock();
  }

  /** {@return the number of bytes before the superblock, which is added to every address} */
  public long baseAddress() {
    return baseAddress;
  }

  /** {@return the component that allocates and moves raw data} */
  public RawData raw() {
    return raw;
  }

  /** {@return what is known of the values of datasets} */
  public ValueStatistics statistics() {
    return statistics;
  }

  /** {@return what tells whether another program may have changed the file} */
  public FileSeal seal() {
    return seal;
  }

  /** {@return the file's metadata} */
  public MetadataSpace metadata() {
    return metadata;
  }

  /**
   * {@return the length of the file after a flush, in bytes, including the user block, and bytes
   * that follow the recorded end, which closing a writable file removes}
   */
  public long sizeBytes() {
    long recorded = baseAddress + allocator.endOfFile();
    boolean isOneSpace = !(store instanceof SplitView);
    return writable || !isOneSpace ? recorded : Math.max(recorded, store.size());
  }

  /** {@return the number of bytes in the file that are known to be free} */
  public long freeBytes() {
    return allocator.freeBytes();
  }

  /**
   * Sets the address of the root group and, in superblocks of version 0 and 1, of its symbol table.
   *
   * @param headerAddress the address of the root group's header
   * @param cache the address of the root group's symbol table
   */
  public void setRoot(long headerAddress, SymbolTableEntry.Cache cache) {
    flush.setSuperblock(superblock().withRoot(headerAddress, cache));
  }

  /** {@return the superblock extension} */
  public SuperblockExtension extension() {
    return extension;
  }

  /**
   * Creates the superblock extension of a new file if its options need one. Under the write lock.
   *
   * @param creation the options for creating the file
   */
  public void createExtension(CreateOptions creation) {
    extension.create(creation, superblock().version(), familyMemberBytes());
    flush.setSuperblock(superblock().withExtension(extension.address()));
  }

  /**
   * Sets the page size, before anything is allocated.
   *
   * @param pageBytes the page size in bytes
   */
  public void setPageBytes(long pageBytes) {
    allocator.setPageBytes(pageBytes);
  }

  /** {@return whether an edit or a flush failed half-way, so that the file can only be closed} */
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
   * {@return a number that grows whenever decoded content must be read again, because another
   * process may have written the file since} It stays 0 in a file that is edited here.
   */
  public long generation() {
    return generation.get();
  }

  /**
   * Registers a component that holds edits.
   *
   * @param participant the component that holds edits in memory
   */
  public void addParticipant(FlushParticipant participant) {
    flush.add(participant);
  }

  /**
   * Unregisters a component, which must hold no edits.
   *
   * @param participant the component that holds edits in memory
   */
  public void removeParticipant(FlushParticipant participant) {
    flush.remove(participant);
  }

  /**
   * {@return whether readers of other processes follow this file, so that data may only be
   * appended}
   */
  public boolean publishes() {
    return committer.publishes();
  }

  /**
   * Flushes, and lets readers of other processes follow the file from then on, until it is closed.
   * Does nothing if they do already.
   *
   * @throws InvalidUseException if the file is open for reading, or its superblock is older than
   *     version 3
   */
  public void publishFromNow() {
    lock.writeLock().lock();
    try {
      requireUsable();
      requireWritable();
      if (!publishes()) {
        flush.publishFromNow();
        flushedEdits = metadata.edits();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Records that what is written becomes visible in steps only. Under the write lock. */
  public void publishSteps() {
    steps = true;
  }

  /** {@return whether readers look at nothing but elements of published steps} */
  public boolean publishesSteps() {
    return steps;
  }

  /**
   * {@return whether a writer of another process has the file open for readers that follow it, or
   * has died so, as the file says now}
   */
  public boolean hasFollowedWriter() {
    return SuperblockCodec.readUnchecked(store).isMarked(Superblock.OPEN_FOR_SWMR);
  }

  /**
   * Runs a look-up under the read lock. If another process is writing the file, inconsistent
   * content is read again.
   *
   * @param <T> the type of the result
   * @param action the action to run
   * @return the result of the action
   */
  public <T> T read(Supplier<T> action) {
    boolean mayRepeat = followsWriter && lock.getReadHoldCount() == 0;
    for (int attempt = 1; ; attempt++) {
      lock.readLock().lock();
      try {
        requireUsable();
        return action.get();
      } catch (CorruptFileException | StorageException torn) {
        if (!mayRepeat || ReadRetry.isLast(attempt)) {
          throw torn;
        }
      } finally {
        lock.readLock().unlock();
      }
      ReadRetry.pause(attempt);
      reread();
    }
  }

  private void reread() {
    allocator.grown(store.size() - baseAddress);
    forgetDecoded();
  }

  private void forgetDecoded() {
    lock.writeLock().lock();
    try {
      metadata.forgetClean();
      raw.forget();
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
        seal.breakIt();
        T result = action.get();
        metadata.relieve(lock.getWriteHoldCount() > 1);
        return result;
      } catch (InvalidUseException
          | NotFoundException
          | AlreadyExistsException
          | UnsupportedFeatureException refused) {
        throw refused;
      } catch (RuntimeException | Error failure) {
        if (metadata.edits() != before && failure != harmless) {
          broken = failure;
          losesEdits |= before != flushedEdits;
        }
        throw failure;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Writes raw data in an edit, at a time when the metadata are whole. If that fails, the edit
   * ends, and the file stays usable with everything before.
   *
   * @param writes the writes of raw data
   * @param undo takes back what was prepared for the writes; run if they fail
   */
  public void attempt(Runnable writes, Runnable undo) {
    try {
      writes.run();
    } catch (RuntimeException | Error failure) {
      undo.run();
      harmless = failure;
      throw failure;
    }
  }

  private void prepareFirstEdit() {
    if (!edited) {
      committer.requireUncut();
      edited = true;
      allocator.storeHolds(store.size() - baseAddress);
      extension.beforeFirstEdit();
    }
  }

  private void requireWritable() {
    if (!writable) {
      throw new InvalidUseException(
          "edit: actual=file opened for reading, expected=opened for editing, at="
              + name()
              + "; open it with Hdf5.openForEdit");
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + name());
    }
    if (broken != null) {
      throw unusable();
    }
  }

  private StorageException unusable() {
    return new StorageException(
        "file: actual=unusable after an edit or flush that failed midway, expected=usable,"
            + " at="
            + name()
            + "; close it and open it again; it then has the state of the last flush",
        broken);
  }

  /** {@return the size of the members in bytes, if the file is a family} */
  public Optional<Long> familyMemberBytes() {
    return store instanceof FamilyStore family
        ? Optional.of(family.memberBytes())
        : Optional.empty();
  }

  /**
   * Records that an edit failed half-way outside this class: the file can then only be closed.
   *
   * @param cause the failure
   */
  public void fail(Throwable cause) {
    broken = cause;
    losesEdits |= metadata.edits() != flushedEdits;
  }

  /**
   * Records the extent that a dataset had at the last flush, before it changes.
   *
   * @param header the address of the dataset's header
   * @param from the extent before the change
   */
  public void extentChanges(long header, long[] from) {
    flush.extentChanges(header, from);
  }

  /**
   * {@return the extent that a dataset had at the last flush, or null if it has not changed since}
   *
   * @param header the address of the dataset's header
   */
  public long[] flushedExtent(long header) {
    return flush.flushedExtent(header);
  }

  /** Lets registered components write their edits, without a flush. Under the write lock. */
  public void prepareFlush() {
    flush.prepare();
  }

  /** Makes all edits durable; has no effect if the file was opened for reading. */
  public void flush() {
    lock.writeLock().lock();
    try {
      requireUsable();
      if (writable) {
        flush.run();
        flushedEdits = metadata.edits();
        sealIfKnown();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Seals the file if all that is known of its values is in it. Under the write lock. */
  private void sealIfKnown() {
    if (!statistics.isEmpty() && !publishes() && statistics.isStored()) {
      seal.set();
    }
  }

  /** Closes the file like {@link #close(LongFunction)}, but moves no raw data. */
  @Override
  public void close() {
    close(header -> List.of());
  }

  /**
   * Flushes, truncates free space at the end, and closes the store, even if the flush fails.
   *
   * @param movables returns the movable raw data of the dataset with a header address; called under
   *     the write lock
   * @throws StorageException if the flush fails, or an edit or a flush has failed midway before:
   *     the file is closed, and has the state of the last flush
   */
  public void close(LongFunction<List<MovableExtent>> movables) {
    lock.writeLock().lock();
    try {
      if (!closed) {
        try {
          if (writable && broken == null && !(flush.isDue() && dropsUnflushed())) {
            flush.runLast(movables);
            sealIfKnown();
            store.complete();
          }
        } finally {
          closed = true;
          store.close();
        }
        if (losesEdits || (broken != null && committer.rawWaits())) {
          throw new StorageException(
              "close: actual=edits since the last flush are lost, because an edit or a flush has"
                  + " failed midway, expected=flushed, at="
                  + name(),
              broken);
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * {@return the options of an opening for another file that it leads to, where no edit is dropped:
   * whoever has asked for that decides about its own file only}
   *
   * @param options the options of the opening
   */
  public static OpenOptions closedAsUsual(OpenOptions options) {
    return options.properties().containsKey(DROP_UNFLUSHED)
        ? options.withProperty(DROP_UNFLUSHED, "false")
        : options;
  }

  /** {@return whether closing drops edits that were not flushed, because the opening says so} */
  public boolean dropsUnflushed() {
    return Boolean.parseBoolean(options.properties().get(DROP_UNFLUSHED));
  }

  /** Closes the store without writing: the file keeps the state of the last flush. */
  public void abandon() {
    lock.writeLock().lock();
    try {
      closed = true;
      store.close();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
