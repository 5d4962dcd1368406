package org.hyperslab.plugins.nativevol;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.StampedLock;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.index.ChunkIndexKind;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.nativevol.file.FlushParticipant;
import org.hyperslab.plugins.nativevol.file.MovableExtent;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * An open dataset: one instance for each header address of an open file, shared by all its handles.
 * It holds the state that outlives a change of the header, such as the chunk cache.
 *
 * <p>Thread rule: {@link #read} and {@link #write} take the file's lock themselves; each other
 * method states its rule.
 */
final class NativeDataset implements FlushParticipant {

  private final DatasetContext context;
  private final SourceDatasets sources;
  private final long address;
  private final StampedLock writers = new StampedLock();
  private final Object chunksLock = new Object();
  private volatile DatasetDescription description;
  private volatile DatasetChunks chunks;
  private ExternalSegments external;
  private volatile Map<String, String> access = Map.of();

  /** The extent that transfers of a virtual dataset have; null until it is needed. */
  private volatile long[] usedExtent;

  /** Whether {@link #usedExtent} comes from the sources, not from the file or the program. */
  private volatile boolean following;

  private volatile long generation;
  private volatile DatasetStorage storage;

  /** The mappings of a virtual dataset; null until they are needed. */
  private volatile VirtualMap virtualMap;

  /** The options with which the dataset was created; null until they are needed. */
  private volatile DatasetOptions options;

  /**
   * Opens the dataset whose header is at {@code address}.
   *
   * @param context the parts of the file that its datasets use
   * @param sources opens the source datasets of virtual datasets
   * @param address the address of the object's header, bytes from the file's base address
   */
  NativeDataset(DatasetContext context, SourceDatasets sources, long address) {
    this.context = context;
    this.sources = sources;
    this.address = address;
    this.generation = context.file().generation();
  }

  /** Takes the content of the header, which was just created. Under the file's write lock. */
  void created(DatasetDescription content) {
    description = content;
  }

  /** Discards decoded metadata if another process may have written the file since. */
  private void followWriter() {
    long now = context.file().generation();
    if (now == generation) {
      return;
    }
    synchronized (chunksLock) {
      if (now != generation) {
        VirtualMap map = virtualMap;
        if (!following || (map != null && !map.isMoving())) {
          usedExtent = null;
          following = false;
        }
        headerChanged();
        forgetChunks();
        generation = now;
      }
    }
  }

  /** {@return the context of the file that it is in} */
  DatasetContext context() {
    return context;
  }

  /**
   * Determines how other files are found. Under the file's read or write lock.
   *
   * @param wanted the properties that differ from those of the file
   * @param alone whether the dataset has one handle; its properties may then change
   * @throws InvalidUseException if it has other handles with another prefix, as in the C library
   */
  void setAccess(Map<String, String> wanted, boolean alone) {
    SourcePlaces.require(wanted);
    synchronized (chunksLock) {
      if (!alone) {
        requireSamePrefix(wanted, SourcePlaces.EXTERNAL_PREFIX);
        requireSamePrefix(wanted, SourcePlaces.VIRTUAL_PREFIX);
        return;
      }
      access = wanted;
      if (external != null) {
        external.close();
        external = null;
      }
      useExtent(null, false);
    }
  }

  private void requireSamePrefix(Map<String, String> wanted, String prefix) {
    String present = access.get(prefix);
    if (!Objects.equals(present, wanted.get(prefix))) {
      throw new InvalidUseException(
          prefix
              + " of a dataset that is already open: actual="
              + wanted.get(prefix)
              + ", expected="
              + present
              + ", at="
              + context.file().name());
    }
  }

  /** {@return where other files that hold its elements are} */
  SourcePlaces places() {
    return new SourcePlaces(context.file(), access);
  }

  /** {@return its header's address} */
  public long address() {
    return address;
  }

  private ObjectHeader header() {
    return ObjectHeader.open(context.space(), address);
  }

  /** {@return the decoded content of its header} Under the file's read or write lock. */
  DatasetDescription description() {
    followWriter();
    DatasetDescription known = description;
    if (known == null) {
      known = DatasetDescription.of(header(), context.headers());
      if (known.layout().layout() instanceof DataLayoutMessage.Virtual) {
        return withUsedExtent(known);
      }
      description = known;
    }
    return known;
  }

  private DatasetDescription withUsedExtent(DatasetDescription stated) {
    synchronized (chunksLock) {
      if (usedExtent == null) {
        usedExtent = stated.space().dims();
      }
      description = stated.withSpace(stated.space().withDims(usedExtent));
      return description;
    }
  }

  private void useExtent(long[] extent, boolean ofSources) {
    synchronized (chunksLock) {
      usedExtent = extent;
      following = ofSources;
      description = null;
      storage = null;
    }
  }

  /**
   * Lets the extent of a virtual dataset follow that of its sources, as the C library does when a
   * program asks for it. Under the file's read or write lock.
   *
   * @return whether the file records another extent
   */
  boolean followSources() {
    DatasetDescription known = description();
    if (!(known.layout().layout() instanceof DataLayoutMessage.Virtual virtual)) {
      return false;
    }
    VirtualMap map = virtualMap(virtual, known.space().rank());
    if (following && !map.isMoving()) {
      return false;
    }
    Dataspace stated = statedSpace();
    VirtualSources virtualSources =
        new VirtualSources(context, sources, places(), virtual, map, stated);
    long[] extent = VirtualNesting.follow(context.file().name(), virtualSources::extent);
    if (!following || !Arrays.equals(extent, known.space().dims())) {
      useExtent(extent, true);
    }
    return !Arrays.equals(extent, stated.dims());
  }

  private Dataspace statedSpace() {
    return DatasetDescription.of(header(), context.headers()).space();
  }

  /** Puts the extent that transfers have into the header. Under the file's write lock. */
  void recordExtent() {
    replaceSpace(description().space());
  }

  /** Discards the decoded header after the header was edited or may have changed on disk. */
  public void headerChanged() {
    description = null;
    storage = null;
    virtualMap = null;
    options = null;
  }

  /** Returns the storage of the elements. Under the file's read or write lock. */
  DatasetStorage storage() {
    followWriter();
    DatasetStorage known = storage;
    if (known == null) {
      known = open(description());
      storage = known;
    }
    return known;
  }

  private DatasetStorage open(DatasetDescription now) {
    return switch (now.layout().layout()) {
      case DataLayoutMessage.Compact compact -> new CompactStorage(this, now, compact);
      case DataLayoutMessage.Contiguous contiguous -> {
        yield now.external().isPresent()
            ? new ExternalStorage(this, now, external(now))
            : new ContiguousStorage(this, now, contiguous);
      }
      case DataLayoutMessage.Chunked _ -> new ChunkedStorage(this, now, chunks(now));
      case DataLayoutMessage.Virtual virtual ->
          new VirtualStorage(
              this,
              now,
              new VirtualSources(
                  context,
                  sources,
                  places(),
                  virtual,
                  virtualMap(virtual, now.space().rank()),
                  now.space()));
    };
  }

  /** Returns the mappings of a virtual dataset, which are decoded once. */
  private VirtualMap virtualMap(DataLayoutMessage.Virtual layout, int rank) {
    VirtualMap known = virtualMap;
    if (known == null) {
      known = VirtualSources.read(context, layout, rank);
      virtualMap = known;
    }
    return known;
  }

  /**
   * Runs a write, beside other writes unless {@code alone} is true. A write that reads the bytes
   * between its elements and writes them back must run alone, because it would undo concurrent
   * writes there.
   */
  void whileWriting(boolean alone, Runnable write) {
    long stamp = alone ? writers.writeLock() : writers.readLock();
    try {
      write.run();
    } finally {
      writers.unlock(stamp);
    }
  }

  /** Returns the heap for the out-of-line parts of elements in the file. */
  HeapAccess heap() {
    return context.heap();
  }

  /**
   * Returns the present extent; that of a virtual dataset which no program has asked for follows
   * the sources. Takes the file's lock.
   */
  long[] currentExtent() {
    return context
        .file()
        .read(() -> {
          if (usedExtent == null) {
            followSources();
          }
          return description().space().dims();
        });
  }

  private ExternalSegments external(DatasetDescription now) {
    synchronized (chunksLock) {
      if (external == null) {
        external = new ExternalSegments(places(), now.external().orElseThrow());
      }
      return external;
    }
  }

  private DatasetChunks chunks(DatasetDescription now) {
    synchronized (chunksLock) {
      if (chunks == null) {
        chunks = new DatasetChunks(this, now);
        context.file().addParticipant(this);
      }
      return chunks;
    }
  }

  /**
   * Returns the chunks, for operations on chunks as stored.
   *
   * @throws InvalidUseException if the dataset is not chunked
   */
  DatasetChunks requireChunks() {
    if (description().layout().layout() instanceof DataLayoutMessage.Chunked) {
      return chunks(description());
    }
    throw new InvalidUseException(
        "chunks: actual=a dataset of another layout, expected=chunked, at="
            + context.file().name());
  }

  /** {@return its raw bytes, for ranks that transfer them without the engine} */
  public RawStorage rawStorage() {
    return new NativeRawStorage(this);
  }

  /**
   * {@return a page of the allocated chunks} Takes the file's lock.
   *
   * @param page the order, and the entries to return
   */
  public Page<ChunkInfo> listChunks(PageRequest page) {
    flushChunks();
    return context.file().read(() -> requireChunks().listing().page(page));
  }

  /**
   * {@return a chunk as stored} Takes the file's lock.
   *
   * @param offset the offset of the chunk's first element, in elements
   */
  public RawChunk readChunk(List<Long> offset) {
    flushChunks();
    return context.file().read(() -> requireChunks().stored().read(offset));
  }

  /**
   * Stores a chunk as given, without filtering it. Under the file's write lock.
   *
   * @param offset the offset of the chunk's first element, in elements
   * @param chunk the chunk as it is to be stored
   */
  public void writeChunk(List<Long> offset, RawChunk chunk) {
    requireChunks().stored().write(offset, chunk);
  }

  /** Copies another dataset's chunks as stored. Under the locks of both files. */
  void copyChunks(NativeDataset source) {
    source.storage();
    storage();
    if (requireChunks().kind() == ChunkIndexKind.IMPLICIT
        && source.requireChunks().kind() != ChunkIndexKind.IMPLICIT) {
      allocate(); // an implicit index allocates all chunks at once
    }
    requireChunks().stored().copyFrom(source.requireChunks().stored());
  }

  /** Writes the pending changes of the chunk cache, if any. Takes the file's lock. */
  void flushChunks() {
    if (chunks == null) {
      return;
    }
    boolean waiting =
        context.file().read(() -> chunks != null && !chunks.transfers().waiting().isEmpty());
    if (waiting) {
      context
          .file()
          .edit(() -> {
            beforeFlush();
            return null;
          });
    }
  }

  /** Puts another layout into the header. Under the file's write lock. */
  void replaceLayout(DataLayoutMessage.Layout layout) {
    ObjectHeader header = header();
    HeaderMessage old = header.find(MessageType.DATA_LAYOUT).orElseThrow();
    DatasetDescription before = description();
    int version = Math.max(3, before.layout().version());
    DataLayoutMessage message = new DataLayoutMessage(version, layout);
    header.replace(old, message);
    header.touch(HeaderStyle.now());
    headerChanged();
    if (!(layout instanceof DataLayoutMessage.Virtual)) { // whose extent is that of its sources
      description = before.withLayout(message);
    }
  }

  /** Puts another extent into the header. Under the file's write lock. */
  void replaceSpace(Dataspace space) {
    ObjectHeader header = header();
    DatasetDescription before = description();
    HeaderMessage old = header.find(MessageType.DATASPACE).orElseThrow();
    DataspaceMessage message = (DataspaceMessage) old.message(context.headers());
    context.headers().release(header, old);
    header.replace(old, message.with(space));
    header.touch(HeaderStyle.now());
    DatasetOptions same = options;
    headerChanged();
    if (!(before.layout().layout() instanceof DataLayoutMessage.Virtual)) {
      description = before.withSpace(space);
      options = same;
    }
  }

  /**
   * Reads elements.
   *
   * @param transfer the elements selected in the file and in memory
   * @param target the memory to read into
   */
  public void read(Transfer transfer, DataBuffer target) {
    context
        .file()
        .read(() -> {
          checkTransfer(transfer, target);
          if (hasElements(transfer)) {
            storage().read(transfer, target);
          }
          return null;
        });
  }

  /**
   * Writes elements.
   *
   * @param transfer the elements selected in the file and in memory
   * @param source the memory to write from
   */
  public void write(Transfer transfer, DataBuffer source) {
    boolean written =
        context
            .file()
            .read(() -> {
              checkTransfer(transfer, source);
              if (!hasElements(transfer)) {
                return true;
              }
              if (!context.file().writable() || !storage().writesUnderReadLock(transfer)) {
                return false;
              }
              storage().write(transfer, source);
              return true;
            });
    if (!written) {
      requireFollowable();
      context
          .file()
          .edit(() -> {
            DatasetStorage storage = storage();
            FlatTransfers.elements(description(), transfer, source); // before anything changes
            storage.write(transfer, source);
            return null;
          });
    }
  }

  /**
   * Returns whether there are elements to move; a null dataspace has none.
   *
   * @throws InvalidUseException if elements of a null dataspace are requested
   */
  private boolean hasElements(Transfer transfer) {
    if (description().space().kind() != Dataspace.Kind.NULL) {
      return true;
    }
    long wanted = transfer.memorySelection().elementCount(transfer.memorySpace().dims());
    if (transfer.memorySpace().elementCount() > 0 && wanted > 0) {
      throw new InvalidUseException(
          "dataset: actual=a null dataspace, which has no elements, expected=" + wanted);
    }
    return false;
  }

  private void requireFollowable() {
    NativeFile file = context.file();
    if (file.publishes() && file.read(() -> description().type().hasOutOfLineParts())) {
      throw new UnsupportedFeatureException(
          "SWMR writing: actual=elements of variable length, expected=of fixed size, at="
              + file.name()
              + "; their heap has no checksums, which SWMR readers need");
    }
  }

  private void checkTransfer(Transfer transfer, DataBuffer buffer) {
    long needed =
        Math.multiplyExact(
            transfer.memorySpace().elementCount(), (long) transfer.memoryType().size());
    if (buffer.elements().byteSize() < needed) {
      throw new InvalidUseException(
          "buffer: actual="
              + buffer.elements().byteSize()
              + " bytes, expected=at least "
              + needed
              + " for "
              + transfer.memorySpace());
    }
  }

  /**
   * Changes the extent. Under the file's write lock.
   *
   * @param dims the new extent
   */
  public void setExtent(List<Long> dims) {
    long[] wanted = dims.stream().mapToLong(Long::longValue).toArray();
    Dataspace space = description().space();
    if (wanted.length != space.rank()) {
      throw new InvalidUseException(
          "rank of the extent: actual="
              + wanted.length
              + ", expected="
              + space.rank()
              + "; give one length for each dimension");
    }
    boolean virtual = description().layout().layout() instanceof DataLayoutMessage.Virtual;
    boolean recorded = !virtual || Arrays.equals(wanted, statedSpace().dims());
    if (recorded && Arrays.equals(wanted, space.dims())) {
      return;
    }
    Dataspace newSpace = space.withDims(wanted);
    Runnable rest = storage().setExtent(newSpace);
    if (virtual) {
      useExtent(wanted, false);
    }
    replaceSpace(newSpace);
    rest.run();
  }

  /** Allocates storage now. Under the file's write lock. */
  public void allocate() {
    storage().allocate();
  }

  /** {@return the raw data that may be moved within the file} Under the file's write lock. */
  public List<MovableExtent> movable() {
    return storage().movable();
  }

  /** Frees all space of the elements; the caller frees the header. Under the write lock. */
  public void delete() {
    context.file().raw().forget(address);
    storage().delete();
    forgetChunks();
    headerChanged();
  }

  /**
   * {@return the description of the dataset} Under the file's lock.
   *
   * @param counted whether to count the chunks, which requires reading their whole index
   */
  public DatasetInfo info(boolean counted) {
    DatasetDescription now = description();
    Optional<ObjectToken> committed =
        now.committedType().isPresent()
            ? Optional.of(new ObjectToken(now.committedType().getAsLong()))
            : Optional.empty();
    return new DatasetInfo(
        now.type(), committed, now.space(), described(options(now)), storage().info(counted));
  }

  /** Writes the changes held in memory before the last handle is closed. Takes the file's lock. */
  public void close() {
    flushChunks();
    forgetChunks();
  }

  /**
   * Discards cached chunks, including their changes, when the file is read again or the dataset was
   * deleted.
   */
  public void forgetChunks() {
    synchronized (chunksLock) {
      if (chunks != null) {
        chunks.close();
        chunks = null;
      }
      if (external != null) {
        external.close();
        external = null;
      }
    }
  }

  private DatasetOptions options(DatasetDescription now) {
    DatasetOptions known = options;
    if (known == null) {
      known = new DatasetCreation(context).optionsOf(now, header());
      options = known;
    }
    return known;
  }

  private DatasetOptions described(DatasetOptions stated) {
    Layout layout = storage().layout(stated.layout());
    return layout.equals(stated.layout()) ? stated : stated.toBuilder().layout(layout).build();
  }

  @Override
  public void beforeFlush() {
    DatasetChunks open = chunks;
    if (open != null) {
      open.transfers().flush();
    }
  }
}
