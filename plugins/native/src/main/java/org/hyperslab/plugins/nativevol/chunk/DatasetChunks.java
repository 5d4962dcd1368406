package org.hyperslab.plugins.nativevol.chunk;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.statistics.DatasetStatistics;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.transfer.ChunkObserver;
import org.hyperslab.plugins.nativevol.transfer.ChunkPlaces;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.transfer.ChunkedTransfer;
import org.hyperslab.plugins.nativevol.transfer.WholeChunks;

/**
 * Manages the chunks of an open dataset: their index, their places in the file, and those cached in
 * memory. It lives as long as the dataset is open, across changes of the header.
 *
 * <p>Thread rule: look-ups and reads under the file's read lock, everything else under its write
 * lock.
 */
public final class DatasetChunks implements ChunkPlaces, AutoCloseable {

  /**
   * The greatest number of chunks that are moved; a dataset with more keeps its chunks in place.
   */
  private static final int MAX_MOVABLE = 1 << 20;

  private final DatasetHeader header;
  private final NativeFile file;
  private final ChunkIndex index;

  /**
   * Whether elements refer to heaps: elements that a flush wrote must not refer to later heap
   * objects.
   */
  private final boolean outOfLine;

  private final ChunkShape shape;
  private final ChunkedTransfer transfers;

  /** The order of the chunks as last listed; null before that. */
  private volatile Listed listed;

  /**
   * The order of all chunks.
   *
   * @param edits the file's count of edits when they were listed
   */
  private record Listed(long edits, ChunkOrder order) {}

  /**
   * Opens the chunks of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   */
  public DatasetChunks(DatasetHeader header, DatasetDescription description) {
    this.header = header;
    this.file = header.context().file();
    DataLayoutMessage.Chunked layout = (DataLayoutMessage.Chunked) description.layout().layout();
    requireElementSize(description, layout);
    FilterPipeline pipeline = pipeline(description);
    this.outOfLine = description.type().hasOutOfLineParts();
    this.index =
        ChunkIndex.open(
            header.context().space(),
            description.layout(),
            description.space(),
            !pipeline.isEmpty(),
            header.context().settings().chunkInternalK());
    requirePublishable();
    this.shape =
        new ChunkShape(
            layout.chunkSizes(),
            description.type().size(),
            pipeline,
            !layout.partialUnfiltered(),
            description.fillPattern(header.context().heap()));
    this.transfers =
        new ChunkedTransfer(this, shape, header.context().resources(), header.context().budget());
  }

  private void requireElementSize(
      DatasetDescription description, DataLayoutMessage.Chunked layout) {
    if (layout.elementSizeBytes() != description.type().size()) {
      throw new CorruptFileException(
          file.name(),
          "chunked data layout",
          description.address(),
          "element size actual="
              + layout.elementSizeBytes()
              + ", expected="
              + description.type().size()
              + " as the datatype's");
    }
  }

  /** Requires an index with checksums, which readers of other processes can follow. */
  private void requirePublishable() {
    if (file.publishes() && kind() == ChunkIndexKind.BTREE_V1) {
      throw new UnsupportedFeatureException(
          "SWMR writing: actual=chunks indexed by a "
              + kind()
              + ", expected=an index of HDF5 1.10, at="
              + file.name()
              + "; write this dataset in a file opened without swmr");
    }
  }

  private static FilterPipeline pipeline(DatasetDescription description) {
    List<FilterStage> stages = new ArrayList<>();
    for (var filter : description.filters()) {
      stages.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    return FilterPipeline.of(stages);
  }

  /** {@return the transfers of elements} */
  public ChunkedTransfer transfers() {
    return transfers;
  }

  /** {@return the index's kind} */
  public ChunkIndexKind kind() {
    return index.spec().kind();
  }

  /** Returns these chunks as wholes. */
  WholeChunks whole() {
    return transfers.whole();
  }

  /** Returns the index of stored chunks; call {@link #layoutChanged} after changing it. */
  ChunkIndex index() {
    return index;
  }

  /** Returns the shape of chunks. */
  ChunkShape shape() {
    return shape;
  }

  @Override
  public long[] extent() {
    return header.description().space().dims();
  }

  /** {@return the listing of allocated chunks} */
  public ChunkListing listing() {
    return new ChunkListing(this);
  }

  /** Returns all chunks in row-major order. They are listed once, until the next edit. */
  ChunkOrder inOrder() {
    long edits = file.edits();
    Listed known = listed;
    if (known == null || known.edits != edits) {
      List<long[]> all = listing().coordinates(_ -> true);
      known = new Listed(edits, ChunkOrder.of(extent().length, all));
      listed = known;
    }
    return known.order;
  }

  /** {@return the chunks as they are stored} */
  public StoredChunks stored() {
    return new StoredChunks(this, file, header.context().resources());
  }

  // --- places ---

  @Override
  public String file() {
    return file.name();
  }

  @Override
  public String dataset() {
    return header
        .context()
        .paths()
        .apply(header.address())
        .map(path -> "dataset " + path)
        .orElse("a dataset without a link, at address " + header.address());
  }

  @Override
  public boolean verifiesWrites() {
    return file.verifiesWrites();
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    return index.find(scaled);
  }

  @Override
  public void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation old = located(scaled);
    if (stays(scaled, old, bytes.byteSize(), filterMask, mayOverwrite)) {
      overwrite(old, bytes, mayOverwrite);
      observer().stored(scaled);
      return;
    }
    ChunkLocation fresh = allocate(bytes.byteSize(), filterMask);
    Runnable write = () -> write(fresh.address(), bytes);
    if (outOfLine) {
      write.run(); // heaps have been edited for the chunk
    } else {
      file.attempt(write, () -> free(fresh));
    }
    replace(scaled, old, fresh);
    observer().stored(scaled);
  }

  @Override
  public ChunkObserver observer() {
    Optional<DatasetStatistics> statistics = file.statistics().of(header.address());
    return statistics.isPresent() ? statistics.get() : ChunkObserver.NONE;
  }

  /** Overwrites a chunk. Without filters only elements that are being written can be harmed. */
  private void overwrite(ChunkLocation place, MemorySegment bytes, boolean mayOverwrite) {
    if (mayOverwrite && !outOfLine) {
      file.attempt(() -> write(place.address(), bytes), () -> {});
    } else {
      write(place.address(), bytes);
    }
  }

  /** Returns a place for a chunk that others write, which the index then has. */
  ChunkLocation place(long[] scaled, long storedBytes, int filterMask) {
    ChunkLocation old = located(scaled);
    if (stays(scaled, old, storedBytes, filterMask, false)) {
      return old;
    }
    ChunkLocation fresh = allocate(storedBytes, filterMask);
    replace(scaled, old, fresh);
    return fresh;
  }

  /** Finds a chunk; an index that owns the space of chunks allocates all of them first. */
  private ChunkLocation located(long[] scaled) {
    ChunkLocation old = index.find(scaled);
    if (!old.isAllocated() && index.ownsChunkSpace()) {
      allocateAll(); // as in the copy of a dataset, whose elements are written one by one
      old = index.find(scaled);
    }
    return old;
  }

  private boolean stays(
      long[] scaled, ChunkLocation old, long storedBytes, int filterMask, boolean mayOverwrite) {
    boolean fits =
        old.isAllocated() && old.storedBytes() == storedBytes && old.filterMask() == filterMask;
    return fits && (mayOverwrite ? mayOverwrite(scaled, old) : mustStay(old));
  }

  private ChunkLocation allocate(long storedBytes, int filterMask) {
    long address = file.raw().allocate(header.address(), storedBytes);
    return new ChunkLocation(address, storedBytes, filterMask);
  }

  private void replace(long[] scaled, ChunkLocation old, ChunkLocation fresh) {
    if (index.put(scaled, fresh)) {
      layoutChanged();
    }
    if (old.isAllocated()) {
      free(old);
    }
  }

  private void free(ChunkLocation place) {
    header.context().space().free(SpaceKind.RAW_DATA, place.address(), place.storedBytes());
  }

  @Override
  public boolean mayOverwrite(long[] scaled, ChunkLocation location) {
    return (!outOfLine && !grew(scaled)) || mustStay(location);
  }

  /** Returns whether part of a chunk is outside the extent of the last flush. */
  private boolean grew(long[] scaled) {
    long[] flushed = file.flushedExtent(header.address());
    return flushed != null && shape.isPartialEdge(scaled, flushed);
  }

  /**
   * Returns whether a chunk may be overwritten in place because nothing durable is there, or must
   * be because the index cannot record another place.
   */
  private boolean mustStay(ChunkLocation location) {
    return index.ownsChunkSpace() || file.raw().isFresh(location.address(), location.storedBytes());
  }

  /** Returns the chunks as movable extents; none if the index requires them to be adjacent. */
  List<MovableExtent> movable() {
    List<MovableExtent> extents = new ArrayList<>();
    if (!index.ownsChunkSpace()) {
      index.forEach((scaled, location) -> {
        extents.add(new MovableChunk(scaled.clone(), location));
        return extents.size() < MAX_MOVABLE;
      });
    }
    return extents;
  }

  private final class MovableChunk implements MovableExtent {
    private final long[] scaled;
    private final ChunkLocation location;

    MovableChunk(long[] scaled, ChunkLocation location) {
      this.scaled = scaled;
      this.location = location;
    }

    @Override
    public long address() {
      return location.address();
    }

    @Override
    public long sizeBytes() {
      return location.storedBytes();
    }

    @Override
    public void refer(long newAddress) {
      if (index.put(
          scaled, new ChunkLocation(newAddress, location.storedBytes(), location.filterMask()))) {
        layoutChanged();
      }
    }
  }

  /** Puts the index into the header after its root or parameters changed. */
  void layoutChanged() {
    header.replaceLayout(index.updated(header.description().layout()).layout());
  }

  @Override
  public void read(long address, MemorySegment target) {
    file.raw().read(address, target);
  }

  @Override
  public boolean prefetches() {
    return file.raw().prefetches();
  }

  @Override
  public void prefetch(long[] addresses, long[] lengths) {
    file.raw().prefetch(addresses, lengths);
  }

  @Override
  public void write(long address, MemorySegment source) {
    file.raw().write(address, source);
  }

  // --- allocation and extent ---

  /** Allocates every chunk of the extent and fills it with the fill value. */
  void allocateAll() {
    allocation().allocateOutside(new long[extent().length]);
  }

  /** Returns the component that allocates many chunks at once. */
  ChunkAllocation allocation() {
    return new ChunkAllocation(header, this, index, shape);
  }

  /**
   * Returns the size of the chunks of the greatest extent, in bytes. An implicit index keeps them
   * adjacent.
   */
  long blockBytes() {
    long bytes = shape.chunkBytes();
    long[] most = header.description().space().maxDims();
    for (int d = 0; d < most.length; d++) {
      bytes = Math.multiplyExact(bytes, Math.ceilDiv(most[d], shape.chunkDims()[d]));
    }
    return bytes;
  }

  /**
   * Requires that the file holds all chunks of an implicit index, whose number follows from the
   * extent.
   *
   * @throws CorruptFileException if it does not
   */
  void requireImplicitBlock() {
    if (index.ownsChunkSpace() && index.rootAddress() != FileGeometry.UNDEFINED) {
      file.raw().require(index.rootAddress(), blockBytes());
    }
  }

  /**
   * Removes, cuts and adds chunks for a new extent; the caller changes the dataspace message.
   *
   * @param early whether chunks are allocated with the dataset
   * @param early whether chunks have a place from the start
   * @return the work to do once the dataspace message is changed
   */
  Runnable setExtent(long[] newExtent, boolean early) {
    return new ChunkResize(header, this, newExtent).run(early);
  }

  /** Removes a chunk and frees its place. */
  void remove(long[] scaled) {
    transfers.forget(scaled);
    ChunkLocation was = index.remove(scaled);
    if (was.isAllocated()) {
      free(was);
    }
  }

  /** Frees all chunks and the index. */
  void delete() {
    if (kind() != ChunkIndexKind.IMPLICIT) {
      listing().coordinates(_ -> true).forEach(this::remove);
    }
    index.delete();
    transfers.close();
  }

  // --- places for bytes that others write ---

  /**
   * {@return an allocated chunk, filled if it had to be allocated}
   *
   * @param scaled the chunk's coordinates, in chunks
   */
  public ChunkPlace allocated(long[] scaled) {
    whole().allocate(scaled, extent());
    return inStore(scaled, find(scaled));
  }

  /**
   * Prepares a chunk that is to be written whole without the cache, and discards its cached
   * content.
   *
   * @param wanted the chunk, with its size as stored
   * @return the place for its bytes
   */
  public ChunkPlace placed(ChunkPlace wanted) {
    transfers.forget(wanted.scaled());
    return inStore(
        wanted.scaled(), place(wanted.scaled(), wanted.storedBytes(), wanted.filterMask()));
  }

  /** Returns a chunk with its offset in the byte store. */
  ChunkPlace inStore(long[] scaled, ChunkLocation location) {
    return new ChunkPlace(
        scaled,
        file.baseAddress() + location.address(),
        location.storedBytes(),
        location.filterMask());
  }

  @Override
  public void require(ChunkLocation location) {
    if (location.storedBytes() <= 0) {
      throw new CorruptFileException(
          file.name(),
          "chunk as stored",
          file.baseAddress() + location.address(),
          "bytes actual=" + location.storedBytes() + ", expected=at least 1");
    }
    file.raw().require(location.address(), location.storedBytes());
  }

  @Override
  public void close() {
    transfers.close();
  }
}
