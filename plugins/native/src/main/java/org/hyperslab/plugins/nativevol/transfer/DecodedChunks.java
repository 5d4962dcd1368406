package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.format.index.ChunkLocation;
import org.hyperslab.format.memory.BufferPool;

/**
 * The chunks of one dataset between the file and memory: read and decoded, encoded and given a
 * place. Filtered chunks that were used or written in part are kept decoded, within a budget; those
 * written wait there until they are pushed out or {@link #flush}ed.
 *
 * <p>Thread rule: reading by any number of threads, whatever changes chunks by one that holds the
 * file's write lock.
 */
final class DecodedChunks implements AutoCloseable {

  /** Chunks larger than this are not kept. */
  private static final long KEPT_CHUNK_LIMIT = 1L << 30;

  /** Memory for chunks no larger than this is taken on the file's word. */
  private static final long BELIEVED_CHUNK_BYTES = 16L << 20;

  /** Decoded bytes of the chunks that are encoded before any is written. */
  private static final long BATCH_BYTES = 32L << 20;

  private static final int SMALLEST_BATCH = 8;
  private static final int LARGEST_BATCH = 1 << 16;

  private final ChunkPlaces places;
  private final ChunkShape shape;
  private final TransferResources resources;
  private final ChunkCodec codec;

  /** Null if chunks are not filtered, or too large to be kept. */
  private final ChunkCache cache;

  DecodedChunks(
      ChunkPlaces places, ChunkShape shape, TransferResources resources, CacheBudget budget) {
    this.places = places;
    this.shape = shape;
    this.resources = resources;
    this.codec = new ChunkCodec(places, shape, resources);
    boolean kept = !shape.pipeline().isEmpty() && shape.chunkBytes() <= KEPT_CHUNK_LIMIT;
    this.cache = kept ? new ChunkCache((int) shape.chunkBytes(), budget, resources.arrays()) : null;
  }

  ChunkPlaces places() {
    return places;
  }

  ChunkShape shape() {
    return shape;
  }

  Workers workers() {
    return resources.workers();
  }

  BufferPool pool() {
    return resources.buffers();
  }

  ChunkCodec codec() {
    return codec;
  }

  /** Returns whether filtered chunks may be kept. */
  boolean areKept() {
    return cache != null;
  }

  /** Returns the number of chunks that are encoded before any is written. */
  int batchSize() {
    return Math.clamp(BATCH_BYTES / shape.chunkBytes(), SMALLEST_BATCH, LARGEST_BATCH);
  }

  // --- what is kept ---

  /** Begins a transfer: the chunks that it uses are the ones that are kept. */
  void beginTransfer() {
    if (cache != null) {
      cache.beginTransfer();
    }
  }

  /** Ends a transfer or a part of it: writes and forgets the chunks that exceed the budget. */
  void endTransfer(boolean wrote) {
    if (cache != null) {
      if (wrote) {
        writeOut(cache.surplusDirty());
      }
      cache.dropSurplus();
    }
  }

  /** Returns the chunk, pinned, if it is kept; null if not. */
  ChunkCache.Entry pinIfPresent(long[] scaled) {
    return cache == null ? null : cache.pinIfPresent(scaled);
  }

  /**
   * Returns the chunk, pinned; where chunks are kept. What a file says of the size of large chunks
   * is not believed before one has been decoded to it: the filters take memory as they need it.
   *
   * @param scaled kept with the chunk, so not to be changed
   */
  ChunkCache.Entry pin(long[] scaled) {
    if (shape.chunkBytes() <= BELIEVED_CHUNK_BYTES) {
      return cache.pin(scaled);
    }
    ChunkCache.Entry present = cache.pinIfPresent(scaled);
    return present != null ? present : pin(scaled, places.find(scaled));
  }

  /** Returns the same, of a chunk that was not among those kept and whose place is known. */
  private ChunkCache.Entry pin(long[] scaled, ChunkLocation location) {
    if (shape.chunkBytes() <= BELIEVED_CHUNK_BYTES || !location.isAllocated()) {
      return cache.pin(scaled);
    }
    ChunkCache.Entry[] entry = {null};
    codec.withDecoded(
        location,
        bytes -> {
          entry[0] = cache.pin(scaled);
          entry[0].load(() -> entry[0].segment().copyFrom(bytes));
        });
    return entry[0];
  }

  /** Lends the elements of a pinned chunk, decoded if they were not, and unpins it. */
  void use(ChunkCache.Entry pinned, Consumer<MemorySegment> user) {
    use(pinned, () -> decode(pinned.scaled, pinned.segment()), user);
  }

  /** Lends the elements of a chunk that has this place in the file, and keeps them. */
  void use(long[] scaled, ChunkLocation location, Consumer<MemorySegment> user) {
    ChunkCache.Entry pinned = pin(scaled, location);
    use(pinned, () -> codec.decode(location, pinned.segment()), user);
  }

  private void use(ChunkCache.Entry pinned, Runnable decoding, Consumer<MemorySegment> user) {
    try {
      pinned.load(decoding);
      user.accept(pinned.segment());
    } finally {
      cache.unpin(pinned);
    }
  }

  /** Lends the elements of a pinned chunk, to be changed: they wait to be written. Unpins it. */
  void change(ChunkCache.Entry pinned, Consumer<MemorySegment> user) {
    use(
        pinned,
        chunk -> {
          cache.markDirty(pinned);
          user.accept(chunk);
        });
  }

  /** Forgets the cached content of a chunk that was deleted or replaced by other means. */
  void forget(long[] scaled) {
    if (cache != null) {
      cache.discard(scaled);
    }
  }

  // --- from the file ---

  /**
   * Reads the elements of a filtered chunk as the file has them, or fill values if it has no place.
   */
  void decode(long[] scaled, MemorySegment target) {
    ChunkLocation location = places.find(scaled);
    if (location.isAllocated()) {
      codec.decode(location, target);
    } else {
      shape.fill().fill(target);
    }
  }

  /** Returns the bytes of a chunk without filters, or the fill value's if it has no place. */
  RawBytes unfiltered(ChunkLocation location) {
    return location.isAllocated()
        ? new ChunkBytes(places, location.address())
        : shape.fill().bytes();
  }

  // --- to the file ---

  /** Stores a chunk, encoded if it is filtered in a dataset of the given extent. */
  void store(long[] scaled, long[] extent, MemorySegment chunk) {
    shape.fill().own(chunk);
    if (!shape.isFiltered(scaled, extent)) {
      put(scaled, chunk, 0, false);
      return;
    }
    try (ChunkCodec.Encoded encoded = codec.encode(chunk)) {
      put(scaled, encoded.bytes().segment(), encoded.filterMask(), false);
    }
  }

  /** Writes a chunk as it is stored, at its old place if that may be, or at a new one. */
  void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation place = places.place(scaled, bytes.byteSize(), filterMask, mayOverwrite);
    places.write(place.address(), bytes);
  }

  /** Coordinates of chunks that wait to be written and may have no place in the file yet. */
  List<long[]> waiting() {
    return cache == null ? List.of() : cache.dirty().stream().map(entry -> entry.scaled).toList();
  }

  /** Encodes and writes the chunks that wait. */
  void flush() {
    if (cache == null) {
      return;
    }
    List<ChunkCache.Entry> dirty = cache.dirty();
    int batch = batchSize();
    for (int from = 0; from < dirty.size(); from += batch) {
      writeOut(dirty.subList(from, Math.min(dirty.size(), from + batch)));
    }
  }

  private void writeOut(List<ChunkCache.Entry> dirty) {
    List<WriteBack> all = dirty.stream().map(WriteBack::new).toList();
    dirty.forEach(entry -> shape.fill().own(entry.segment()));
    try {
      workers().forEach(all.iterator(), WriteBack::encode);
      for (WriteBack each : all) {
        put(each.entry.scaled, each.made.bytes().segment(), each.made.filterMask(), false);
        cache.markClean(each.entry);
      }
    } finally {
      all.forEach(WriteBack::close);
    }
  }

  /** A chunk that was kept, on its way to the file. */
  private final class WriteBack {
    private final ChunkCache.Entry entry;
    private ChunkCodec.Encoded made;

    WriteBack(ChunkCache.Entry entry) {
      this.entry = entry;
    }

    void encode() {
      made = codec.encode(entry.segment());
    }

    void close() {
      if (made != null) {
        made.close();
      }
    }
  }

  /** Forgets everything, changes included, and gives memory back. */
  @Override
  public void close() {
    if (cache != null) {
      cache.clear();
    }
    codec.close();
  }
}
