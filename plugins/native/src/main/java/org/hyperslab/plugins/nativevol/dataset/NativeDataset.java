package org.hyperslab.plugins.nativevol.dataset;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.index.grid.ChunkIndexKind;
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
import org.hyperslab.plugins.nativevol.chunk.ChunkedStorage;
import org.hyperslab.plugins.nativevol.chunk.DatasetChunks;
import org.hyperslab.plugins.nativevol.file.FlushParticipant;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.statistics.DatasetStatistics;
import org.hyperslab.plugins.nativevol.storage.CompactStorage;
import org.hyperslab.plugins.nativevol.storage.ContiguousStorage;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.storage.DatasetStorage;
import org.hyperslab.plugins.nativevol.storage.ElementMovers;
import org.hyperslab.plugins.nativevol.storage.ExternalSegments;
import org.hyperslab.plugins.nativevol.storage.ExternalStorage;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;
import org.hyperslab.plugins.nativevol.virtual.FollowedExtent;
import org.hyperslab.plugins.nativevol.virtual.SourceDataset;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;
import org.hyperslab.plugins.nativevol.virtual.VirtualStorage;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * An open dataset: one instance for each header address of an open file, shared by all its handles.
 * It holds the state that outlives a change of the header, such as the chunk cache.
 *
 * <p>Thread rule: {@link #read} and {@link #write} take the file's lock themselves; each other
 * method states its rule.
 */
public final class NativeDataset implements FlushParticipant, SourceDataset {

  private final DatasetHeader header;
  private final NativeFile file;
  private final FollowedExtent extent;
  private volatile Map<String, String> access = Map.of();
  private volatile Opened opened;
  private volatile Described described;
  private volatile DatasetChunks chunks;
  private ExternalSegments external;

  /** The file's generation when {@link #chunks} and {@link #external} were opened. */
  private long generation;

  /** The storage of the elements, opened as a header's content says. */
  private record Opened(DatasetDescription from, DatasetStorage storage) {}

  /** The options with which the dataset was created, as far as its messages say. */
  private record Described(DataLayoutMessage from, DatasetOptions options) {}

  /**
   * Opens the dataset whose header is at {@code address}.
   *
   * @param context the parts of the file that its datasets use
   * @param sources opens the source datasets of virtual datasets
   * @param address the address of the object's header, bytes from the file's base address
   */
  NativeDataset(DatasetContext context, SourceDatasets sources, long address) {
    this.header = new DatasetHeader(context, address);
    this.file = context.file();
    this.extent = new FollowedExtent(header, sources);
    this.generation = file.generation();
  }

  /** {@return the object header of this dataset} */
  public DatasetHeader header() {
    return header;
  }

  /** {@return the file that it is in} */
  public NativeFile file() {
    return file;
  }

  /** {@return the decoded content of its header} Under the file's read or write lock. */
  public DatasetDescription description() {
    return header.description();
  }

  // --- where other files are ---

  /**
   * Determines how other files are found. Under the file's read or write lock.
   *
   * @param wanted the properties that differ from those of the file
   * @param alone whether the dataset has one handle; its properties may then change
   * @throws InvalidUseException if it has other handles with another prefix, as in the C library
   */
  public synchronized void setAccess(Map<String, String> wanted, boolean alone) {
    SourcePlaces.require(wanted);
    if (!alone) {
      requireSamePrefix(wanted, SourcePlaces.EXTERNAL_PREFIX);
      requireSamePrefix(wanted, SourcePlaces.VIRTUAL_PREFIX);
      return;
    }
    access = wanted;
    closeExternal();
    header.useExtent(null, false);
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
              + file.name());
    }
  }

  private SourcePlaces places() {
    return new SourcePlaces(file, access);
  }

  /**
   * Lets the extent of a virtual dataset follow that of its sources. Under the file's read or write
   * lock.
   *
   * @return whether the file records another extent
   */
  public boolean followSources() {
    return extent.follow(places());
  }

  /** Puts the extent that transfers have into the header. Under the file's write lock. */
  public void recordExtent() {
    header.replaceSpace(description().space());
  }

  @Override
  public long[] currentExtent() {
    return file.read(() -> {
      if (!header.hasUsedExtent()) {
        followSources();
      }
      return description().space().dims();
    });
  }

  // --- storage ---

  /** Returns the storage of the elements. Under the file's read or write lock. */
  @SuppressWarnings("ReferenceEquality") // every change of the header makes another description
  private DatasetStorage storage() {
    DatasetDescription now = description();
    Opened known = opened;
    if (known == null || known.from != now) {
      known = new Opened(now, open(now));
      opened = known;
    }
    return known.storage;
  }

  private DatasetStorage open(DatasetDescription now) {
    return switch (now.layout().layout()) {
      case DataLayoutMessage.Compact compact -> new CompactStorage(header, now, compact);
      case DataLayoutMessage.Contiguous contiguous -> {
        yield now.external().isPresent()
            ? new ExternalStorage(header, now, external(now))
            : new ContiguousStorage(header, now, contiguous);
      }
      case DataLayoutMessage.Chunked _ -> new ChunkedStorage(header, now, chunks(now));
      case DataLayoutMessage.Virtual _ ->
          new VirtualStorage(header, now, extent.sources(places(), now.space()));
    };
  }

  private synchronized ExternalSegments external(DatasetDescription now) {
    followWriter();
    if (external == null) {
      external = new ExternalSegments(places(), now.external().orElseThrow());
    }
    return external;
  }

  private synchronized DatasetChunks chunks(DatasetDescription now) {
    followWriter();
    if (chunks == null) {
      chunks = new DatasetChunks(header, now);
      file.addParticipant(this);
    }
    return chunks;
  }

  /** Discards what was opened if another process may have written the file since. */
  private void followWriter() {
    if (generation != file.generation()) {
      generation = file.generation();
      forgetChunks();
    }
  }

  /**
   * Returns the chunks, for operations on chunks as stored. Under the file's read or write lock.
   *
   * @return the chunks
   * @throws InvalidUseException if the dataset is not chunked
   */
  public DatasetChunks requireChunks() {
    if (description().layout().layout() instanceof DataLayoutMessage.Chunked) {
      return chunks(description());
    }
    throw new InvalidUseException(
        "chunks: actual=a dataset of another layout, expected=chunked, at=" + file.name());
  }

  /** {@return its raw bytes, for ranks that transfer them without the engine} */
  public RawStorage rawStorage() {
    if (file.writable()) {
      file.statistics().bypass();
      file.seal().breakIt(); // others write what this engine does not see
    }
    return new NativeRawStorage(this);
  }

  // --- chunks as stored ---

  /**
   * {@return a page of the allocated chunks} Takes the file's lock.
   *
   * @param page the order, and the entries to return
   */
  public Page<ChunkInfo> listChunks(PageRequest page) {
    flushChunks();
    return file.read(() -> requireChunks().listing().page(page));
  }

  /**
   * {@return a chunk as stored} Takes the file's lock.
   *
   * @param offset the offset of the chunk's first element, in elements
   */
  public RawChunk readChunk(List<Long> offset) {
    flushChunks();
    return file.read(() -> requireChunks().stored().read(offset));
  }

  /**
   * Stores a chunk as given, without filtering it. Under the file's write lock.
   *
   * @param offset the offset of the chunk's first element, in elements
   * @param chunk the chunk as it is to be stored
   */
  public void writeChunk(List<Long> offset, RawChunk chunk) {
    long[] start = offset.stream().mapToLong(Long::longValue).toArray();
    statistics().ifPresent(known -> known.touchBlock(start));
    requireChunks().stored().write(offset, chunk);
  }

  /**
   * Copies another dataset's chunks as stored. Under the locks of both files.
   *
   * @param source the other dataset, of the same type, extent and layout
   */
  public void copyChunks(NativeDataset source) {
    source.storage();
    storage();
    if (requireChunks().kind() == ChunkIndexKind.IMPLICIT
        && source.requireChunks().kind() != ChunkIndexKind.IMPLICIT) {
      allocate(); // an implicit index allocates all chunks at once
    }
    requireChunks().stored().copyFrom(source.requireChunks().stored());
  }

  /** Writes the pending changes of the chunk cache, if any. Takes the file's lock. */
  public void flushChunks() {
    if (chunks == null) {
      return;
    }
    boolean waiting = file.read(() -> chunks != null && !chunks.transfers().waiting().isEmpty());
    if (waiting) {
      file.edit(() -> {
        beforeFlush();
        return null;
      });
    }
  }

  // --- transfers ---

  @Override
  public void read(Transfer transfer, DataBuffer target) {
    file.read(() -> {
      checkTransfer(transfer, target);
      if (hasElements(transfer)) {
        storage().read(transfer, target);
      }
      return null;
    });
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    boolean written =
        file.read(() -> {
          checkTransfer(transfer, source);
          if (!hasElements(transfer)) {
            return true;
          }
          if (!file.writable() || !storage().writesUnderReadLock(transfer)) {
            return false;
          }
          file.seal().breakIt();
          statistics().ifPresent(known -> known.touch(transfer.fileSelection()));
          storage().write(transfer, source);
          statistics().ifPresent(known -> known.touch(transfer.fileSelection()));
          return true;
        });
    if (!written) {
      requireFollowable();
      file.edit(() -> {
        DatasetStorage storage = storage();
        ElementMovers.elements(description(), transfer, source); // before anything changes
        statistics().ifPresent(known -> known.touch(transfer.fileSelection()));
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
    if (file.publishes()
        && !file.publishesSteps()
        && file.read(() -> description().type().hasOutOfLineParts())) {
      throw new UnsupportedFeatureException(
          "SWMR writing: actual=elements of variable length, expected=of fixed size, at="
              + file.name()
              + "; their heap has no checksums, which SWMR readers need; write them in steps");
    }
  }

  private static void checkTransfer(Transfer transfer, DataBuffer buffer) {
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

  // --- the dataset as a whole ---

  /**
   * Changes the extent. Under the file's write lock.
   *
   * @param dims the new extent
   */
  public void setExtent(List<Long> dims) {
    long[] wanted = dims.stream().mapToLong(Long::longValue).toArray();
    DatasetDescription now = description();
    Dataspace space = now.space();
    if (wanted.length != space.rank()) {
      throw new InvalidUseException(
          "rank of the extent: actual="
              + wanted.length
              + ", expected="
              + space.rank()
              + "; give one length for each dimension");
    }
    boolean recorded = !now.isVirtual() || Arrays.equals(wanted, header.statedSpace().dims());
    if (recorded && Arrays.equals(wanted, space.dims())) {
      return;
    }
    Dataspace newSpace = space.withDims(wanted);
    Runnable rest = storage().setExtent(newSpace);
    if (now.isVirtual()) {
      header.useExtent(wanted, false);
    }
    header.replaceSpace(newSpace);
    rest.run();
    statistics().ifPresent(known -> known.resized(wanted));
  }

  private Optional<DatasetStatistics> statistics() {
    return file.statistics().of(header.address());
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
    file.raw().forget(header.address());
    file.statistics().delete(header.address());
    file.seal().deleted(header.address());
    storage().delete();
    forgetChunks();
    header.forget();
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
        now.type(), committed, now.space(), options(now), storage().info(counted));
  }

  private DatasetOptions options(DatasetDescription now) {
    DatasetOptions stated = statedOptions(now);
    Layout layout = storage().layout(stated.layout());
    long statistics = statistics().map(DatasetStatistics::blockElements).orElse(0L);
    return layout.equals(stated.layout()) && stated.statistics() == statistics
        ? stated
        : stated.toBuilder().layout(layout).statistics(statistics).build();
  }

  @SuppressWarnings("ReferenceEquality") // a new extent leaves the layout message alone
  private DatasetOptions statedOptions(DatasetDescription now) {
    Described known = described;
    if (known == null || known.from != now.layout()) {
      DatasetOptions options = new DatasetCreation(header.context()).optionsOf(now, header.open());
      known = new Described(now.layout(), options);
      described = known;
    }
    return known.options;
  }

  /** Writes the changes held in memory before the last handle is closed. Takes the file's lock. */
  public void close() {
    flushChunks();
    forgetChunks();
  }

  /** Discards cached chunks, including their changes. */
  private synchronized void forgetChunks() {
    if (chunks != null) {
      chunks.close();
      chunks = null;
    }
    closeExternal();
  }

  private void closeExternal() {
    if (external != null) {
      external.close();
      external = null;
    }
  }

  @Override
  public void beforeFlush() {
    DatasetChunks open = chunks;
    if (open != null) {
      open.transfers().flush();
    }
  }
}
