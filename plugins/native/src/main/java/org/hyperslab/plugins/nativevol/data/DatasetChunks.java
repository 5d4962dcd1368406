package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.chunk.ChunkIndex;
import org.hyperslab.format.chunk.ChunkIndexKind;
import org.hyperslab.format.chunk.ChunkLocation;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.transfer.ChunkPlaces;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.transfer.ChunkedTransfer;

/**
 * The chunks of an open dataset: their index, their places in the file, and those in memory. It
 * lives as long as the dataset is open, across changes of the header.
 *
 * <p>Thread rule: looking up and reading under the file's read lock, everything else under its
 * write lock.
 */
final class DatasetChunks implements ChunkPlaces, AutoCloseable {

  private static final int STRIP_BYTES = 1 << 20;

  private final NativeDataset dataset;
  private final NativeFile file;
  private final ChunkIndex index;

  /** Whether elements refer to heaps: those of a flush must not come to refer to later ones. */
  private final boolean outOfLine;

  private final ChunkShape shape;
  private final ChunkedTransfer transfers;

  DatasetChunks(NativeDataset dataset, DatasetDescription description) {
    this.dataset = dataset;
    this.file = dataset.context().file();
    DataLayoutMessage.Chunked layout = (DataLayoutMessage.Chunked) description.layout().layout();
    requireElementSize(description, layout);
    FilterPipeline pipeline = pipeline(description);
    this.outOfLine = description.type().hasOutOfLineParts();
    this.index =
        ChunkIndex.open(
            dataset.context().space(),
            description.layout(),
            description.space(),
            !pipeline.isEmpty(),
            dataset.context().settings().chunkInternalK());
    requirePublishable();
    this.shape =
        new ChunkShape(
            layout.chunkSizes(),
            description.type().size(),
            pipeline,
            !layout.partialUnfiltered(),
            description.fillPattern());
    this.transfers =
        new ChunkedTransfer(this, shape, dataset.context().resources(), dataset.context().budget());
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

  /** Readers of other processes can follow indexes with checksums. */
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

  /** Moves elements. */
  ChunkedTransfer transfers() {
    return transfers;
  }

  /** The index's kind. */
  ChunkIndexKind kind() {
    return index.spec().kind();
  }

  private long[] extent() {
    return dataset.description().space().dims();
  }

  // --- places ---

  @Override
  public String file() {
    return file.name();
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    return index.find(scaled);
  }

  @Override
  public ChunkLocation place(
      long[] scaled, long storedBytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation old = index.find(scaled);
    boolean fits =
        old.isAllocated() && old.storedBytes() == storedBytes && old.filterMask() == filterMask;
    if (fits && (mayOverwrite ? mayOverwrite(scaled, old) : mustStay(old))) {
      return old;
    }
    long address = dataset.context().space().allocate(SpaceKind.RAW_DATA, storedBytes);
    ChunkLocation place = new ChunkLocation(address, storedBytes, filterMask);
    if (index.put(scaled, place)) {
      layoutChanged();
    }
    if (old.isAllocated()) {
      dataset.context().space().free(SpaceKind.RAW_DATA, old.address(), old.storedBytes());
    }
    return place;
  }

  @Override
  public boolean mayOverwrite(long[] scaled, ChunkLocation location) {
    return (!outOfLine && !grew(scaled)) || mustStay(location);
  }

  /** Whether part of a chunk is outside of the extent that the last flush has left. */
  private boolean grew(long[] scaled) {
    long[] flushed = file.flushedExtent(dataset.address());
    for (int d = 0; flushed != null && d < scaled.length; d++) {
      if ((scaled[d] + 1) * shape.chunkDims()[d] > flushed[d]) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing durable is where a chunk is, or the index cannot name another place. */
  private boolean mustStay(ChunkLocation location) {
    return index.ownsChunkSpace() || file.isFresh(location.address(), location.storedBytes());
  }

  /** Puts the index, whose root or parameters changed, into the header. */
  void layoutChanged() {
    dataset.replaceLayout(index.updated(dataset.description().layout()).layout());
  }

  @Override
  public void read(long address, MemorySegment target) {
    file.readRaw(address, target);
  }

  @Override
  public void write(long address, MemorySegment source) {
    file.writeRaw(address, source);
  }

  // --- allocation and extent ---

  /** Gives every chunk of the extent a place, filled with the fill value. */
  void allocateAll() {
    allocateOutside(new long[extent().length]);
  }

  private void allocateOutside(long[] oldExtent) {
    allocation().allocateOutside(oldExtent);
  }

  private ChunkAllocation allocation() {
    return new ChunkAllocation(dataset, this, index, shape);
  }

  /** Bytes of the chunks of the greatest extent, which an implicit index keeps side by side. */
  long blockBytes() {
    long bytes = shape.chunkBytes();
    long[] most = dataset.description().space().maxDims();
    for (int d = 0; d < most.length; d++) {
      bytes = Math.multiplyExact(bytes, Math.ceilDiv(most[d], shape.chunkDims()[d]));
    }
    return bytes;
  }

  // --- copies ---

  /**
   * Takes over the chunks of a dataset of the same type, extent and layout as they are stored.
   * Chunks that it does not have are not made here either. Under the read lock of its file.
   */
  void copyFrom(DatasetChunks source) {
    if (kind() == ChunkIndexKind.IMPLICIT && source.kind() == ChunkIndexKind.IMPLICIT) {
      copyBlock(source);
      return;
    }
    long[] extent = extent();
    source.index.forEach((scaled, location) -> {
      if (!isOutside(scaled, extent)) { // an index may list more
        source.require(location);
        ChunkLocation place =
            place(scaled.clone(), location.storedBytes(), location.filterMask(), false);
        copyBytes(source, location.address(), place.address(), location.storedBytes());
      }
      return true;
    });
  }

  /** Copies the space of an implicit index, as far as the source's file reaches. */
  private void copyBlock(DatasetChunks source) {
    long from = source.index.rootAddress();
    if (from == FileGeometry.UNDEFINED || !index.create()) {
      return;
    }
    layoutChanged();
    copyBytes(source, from, index.rootAddress(), blockBytes());
  }

  /** Copies bytes as far as the source's file reaches; the rest reads as zeros in both. */
  private void copyBytes(DatasetChunks source, long from, long to, long bytes) {
    long stored = source.file.storedBytes(from, bytes);
    MemorySegment strip = MemorySegment.ofArray(new byte[(int) Math.min(stored, STRIP_BYTES)]);
    for (long done = 0; done < stored; done += STRIP_BYTES) {
      MemorySegment part = strip.asSlice(0, Math.min(STRIP_BYTES, stored - done));
      source.read(from + done, part);
      write(to + done, part);
    }
  }

  /** The next chunk in row-major order; no more if it is false. */
  boolean advance(long[] scaled, long[] extent) {
    for (int d = scaled.length - 1; d >= 0; d--) {
      if ((scaled[d] + 1) * shape.chunkDims()[d] < extent[d]) {
        scaled[d]++;
        return true;
      }
      scaled[d] = 0;
    }
    return false;
  }

  /** Removes, cuts and adds chunks as a new extent asks; the dataspace message is the caller's. */
  void setExtent(long[] newExtent, boolean early) {
    if (file.publishes() && isSmaller(newExtent, extent())) {
      throw new InvalidUseException(
          "SWMR writing: actual=extent made smaller to "
              + Arrays.toString(newExtent)
              + ", expected=at least "
              + Arrays.toString(extent())
              + ", at="
              + file.name());
    }
    long[] oldExtent = extent();
    if (early) {
      allocation().requireRoom(oldExtent, newExtent);
    }
    transfers.flush();
    requireImplicitBlock();
    file.extentChanges(dataset.address(), oldExtent);
    boolean smaller = isSmaller(newExtent, oldExtent);
    boolean edgesChange = !shape.pipeline().isEmpty() && !shape.filterPartialEdges();
    if (smaller || edgesChange) {
      fitChunks(oldExtent, newExtent);
    }
    index.extentChanged(newExtent);
    if (index.ownsChunkSpace() && index.rootAddress() != FileGeometry.UNDEFINED) {
      dataset.afterExtentChange(() -> fillOutside(oldExtent));
    } else if (early) {
      dataset.afterExtentChange(() -> allocateOutside(oldExtent));
    }
  }

  /** Removes, cuts and encodes anew the chunks that another extent asks this of. */
  private void fitChunks(long[] oldExtent, long[] newExtent) {
    for (long[] scaled : all((scaled, _) -> mustChange(scaled, oldExtent, newExtent))) {
      if (isOutside(scaled, newExtent)) {
        remove(scaled);
      } else if (isCut(scaled, oldExtent, newExtent)) {
        transfers.clearOutside(scaled, oldExtent, newExtent);
      } else {
        transfers.restore(scaled, oldExtent, newExtent);
      }
    }
  }

  private boolean mustChange(long[] scaled, long[] oldExtent, long[] newExtent) {
    return isOutside(scaled, newExtent)
        || isCut(scaled, oldExtent, newExtent)
        || shape.isFiltered(scaled, oldExtent) != shape.isFiltered(scaled, newExtent);
  }

  private static boolean isSmaller(long[] extent, long[] than) {
    for (int d = 0; d < extent.length; d++) {
      if (extent[d] < than[d]) {
        return true;
      }
    }
    return false;
  }

  /** Fills the chunks that an earlier extent did not have and that have had a place all along. */
  private void fillOutside(long[] oldExtent) {
    long[] extent = extent();
    if (Arrays.stream(extent).anyMatch(dim -> dim == 0)) {
      return;
    }
    long[] scaled = new long[extent.length];
    do {
      if (isOutside(scaled, oldExtent)) {
        transfers.fill(scaled);
      }
    } while (advance(scaled, extent));
  }

  /** Whether a chunk has no element within an extent. */
  boolean isOutside(long[] scaled, long[] extent) {
    for (int d = 0; d < scaled.length; d++) {
      if (scaled[d] * shape.chunkDims()[d] >= extent[d]) {
        return true;
      }
    }
    return false;
  }

  /** Whether elements of a chunk that were inside are outside of the new extent. */
  private boolean isCut(long[] scaled, long[] oldExtent, long[] newExtent) {
    for (int d = 0; d < scaled.length; d++) {
      long end = Math.min((scaled[d] + 1) * shape.chunkDims()[d], oldExtent[d]);
      if (newExtent[d] < end) {
        return true;
      }
    }
    return false;
  }

  private void remove(long[] scaled) {
    transfers.forget(scaled);
    ChunkLocation was = index.remove(scaled);
    if (was.isAllocated()) {
      dataset.context().space().free(SpaceKind.RAW_DATA, was.address(), was.storedBytes());
    }
  }

  /** Gives back all chunks and the index. */
  void delete() {
    if (kind() != ChunkIndexKind.IMPLICIT) {
      all((_, _) -> true).forEach(this::remove);
    }
    index.delete();
    transfers.close();
  }

  // --- places for bytes that others write ---

  /** Every chunk that has a place. */
  List<ChunkPlace> places() {
    List<ChunkPlace> places = new ArrayList<>();
    index.forEach((scaled, location) -> {
      places.add(outside(scaled.clone(), location));
      return true;
    });
    return places;
  }

  /** A chunk that has a place now, filled if it had none. */
  ChunkPlace allocated(long[] scaled) {
    transfers.allocate(scaled, extent());
    return outside(scaled, find(scaled));
  }

  /** A chunk that somebody else will write as a whole; what is in memory of it is outdated. */
  ChunkPlace placed(ChunkPlace wanted) {
    transfers.forget(wanted.scaled());
    return outside(
        wanted.scaled(), place(wanted.scaled(), wanted.storedBytes(), wanted.filterMask(), false));
  }

  private ChunkPlace outside(long[] scaled, ChunkLocation location) {
    return new ChunkPlace(
        scaled,
        file.baseAddress() + location.address(),
        location.storedBytes(),
        location.filterMask());
  }

  // --- chunks as stored ---

  /** Coordinates of the chunks that have a place and meet a condition, in order of the index. */
  private List<long[]> all(BiPredicate<long[], ChunkLocation> condition) {
    List<long[]> all = new ArrayList<>();
    index.forEach((scaled, location) -> {
      if (condition.test(scaled, location)) {
        all.add(scaled.clone());
      }
      return true;
    });
    return all;
  }

  /** Shows the chunks that have a place within the extent: offset of the first element, extent. */
  void forEachStored(BiConsumer<long[], long[]> action) {
    long[] extent = extent();
    index.forEach((scaled, location) -> {
      if (!isOutside(scaled, extent)) { // an index may list more
        require(location);
        long[] origin = new long[scaled.length];
        for (int d = 0; d < origin.length; d++) {
          origin[d] = scaled[d] * shape.chunkDims()[d];
        }
        action.accept(origin, shape.chunkDims());
      }
      return true;
    });
  }

  /** A page of the chunks that have a place, in row-major order. */
  Page<ChunkInfo> list(PageRequest page) {
    boolean inOrder = kind() != ChunkIndexKind.EXTENSIBLE_ARRAY; // which may begin elsewhere
    if (inOrder && !page.descending()) {
      return listInOrder(page);
    }
    requireImplicitBlock();
    List<long[]> all = all((_, _) -> true);
    Comparator<long[]> order = Arrays::compare;
    all.sort(page.descending() ? order.reversed() : order);
    int from = (int) Math.min(page.position(), all.size());
    int to = (int) Math.min((long) from + page.limit(), all.size());
    List<ChunkInfo> entries = new ArrayList<>();
    for (long[] scaled : all.subList(from, to)) {
      entries.add(info(scaled, index.find(scaled)));
    }
    return new Page<>(entries, to == all.size());
  }

  private Page<ChunkInfo> listInOrder(PageRequest page) {
    List<ChunkInfo> entries = new ArrayList<>();
    long[] passed = new long[1];
    boolean[] more = new boolean[1];
    index.forEach((scaled, location) -> {
      if (passed[0]++ >= page.position()) {
        more[0] = entries.size() == page.limit();
        if (!more[0]) {
          entries.add(info(scaled, location));
        }
      }
      return !more[0];
    });
    return new Page<>(entries, !more[0]);
  }

  private ChunkInfo info(long[] scaled, ChunkLocation at) {
    return new ChunkInfo(
        offsetOf(scaled), file.baseAddress() + at.address(), at.storedBytes(), at.filterMask());
  }

  /** The chunks of an implicit index are as many as the extent says: the file must hold them. */
  private void requireImplicitBlock() {
    if (index.ownsChunkSpace() && index.rootAddress() != FileGeometry.UNDEFINED) {
      file.requireRaw(index.rootAddress(), blockBytes());
    }
  }

  private List<Long> offsetOf(long[] scaled) {
    List<Long> offset = new ArrayList<>();
    for (int d = 0; d < scaled.length; d++) {
      offset.add(scaled[d] * shape.chunkDims()[d]);
    }
    return offset;
  }

  /** The chunk at an offset, as stored. */
  RawChunk readRaw(List<Long> offset) {
    ChunkLocation location = find(scaledOf(offset));
    if (!location.isAllocated()) {
      throw new NotFoundException(
          "chunk: actual=not allocated, at=" + offset + " of " + file.name());
    }
    return new RawChunk(readRaw(location), location.filterMask());
  }

  private MemorySegment readRaw(ChunkLocation location) {
    if (location.storedBytes() > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "chunk as stored: actual=" + location.storedBytes() + " bytes, expected=below 2 GiB");
    }
    require(location);
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) location.storedBytes()]);
    read(location.address(), bytes);
    return bytes;
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
    file.requireRaw(location.address(), location.storedBytes());
  }

  /** Stores a chunk as given. */
  void writeRaw(List<Long> offset, RawChunk chunk) {
    long[] scaled = scaledOf(offset);
    long bytes = chunk.bytes().byteSize();
    if (shape.pipeline().isEmpty() && bytes != shape.chunkBytes()) {
      throw new InvalidUseException(
          "chunk without filters: actual=" + bytes + " bytes, expected=" + shape.chunkBytes());
    }
    ChunkLocation place = place(scaled, bytes, chunk.filterMask(), false);
    write(place.address(), chunk.bytes());
    transfers.forget(scaled);
  }

  private long[] scaledOf(List<Long> offset) {
    long[] extent = extent();
    if (offset.size() != extent.length) {
      throw new InvalidUseException(
          "chunk offset: actual=rank " + offset.size() + ", expected=rank " + extent.length);
    }
    long[] scaled = new long[extent.length];
    for (int d = 0; d < scaled.length; d++) {
      long at = offset.get(d);
      if (at < 0 || at >= extent[d] || at % shape.chunkDims()[d] != 0) {
        throw new InvalidUseException(
            "chunk offset in dimension "
                + d
                + ": actual="
                + at
                + ", expected=a multiple of "
                + shape.chunkDims()[d]
                + " below "
                + extent[d]);
      }
      scaled[d] = at / shape.chunkDims()[d];
    }
    return scaled;
  }

  /** Bytes of all chunks as stored, and how many there are. */
  long[] storedBytesAndCount() {
    if (kind() == ChunkIndexKind.IMPLICIT) {
      boolean made = index.rootAddress() != FileGeometry.UNDEFINED;
      long count = made ? ChunkAllocation.chunksIn(extent(), shape.chunkDims()) : 0;
      return new long[] {ChunkAllocation.product(count, shape.chunkBytes()), count};
    }
    long[] sum = new long[2];
    index.forEach((scaled, location) -> {
      sum[0] += location.storedBytes();
      sum[1]++;
      return true;
    });
    return sum;
  }

  /** Bytes of the index. */
  long indexBytes() {
    return index.metadataBytes();
  }

  @Override
  public void close() {
    transfers.close();
  }
}
