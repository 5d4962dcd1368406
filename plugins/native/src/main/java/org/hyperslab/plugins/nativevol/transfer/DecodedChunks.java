package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.BufferPool;

/**
 * Moves the chunks of one dataset between the file and memory: reads and decodes them, encodes and
 * places them. Filtered chunks that were used or written in part are cached decoded, within a
 * budget; written ones stay until they are evicted or {@link #flush}ed.
 *
 * <p>Thread rule: reading in any number of threads; changing chunks in one thread that holds the
 * file's write lock.
 */
final class DecodedChunks implements AutoCloseable {

  /** The largest chunk that is cached, in bytes. */
  private static final long KEPT_CHUNK_LIMIT = 1L << 30;

  /**
   * The largest chunk, in bytes, for which memory is allocated before its size is confirmed by
   * decoding.
   */
  private static final long BELIEVED_CHUNK_BYTES = 16L << 20;

  /** The number of decoded bytes of the chunks that are encoded before any is written. */
  private static final long BATCH_BYTES = 32L << 20;

  private static final int SMALLEST_BATCH = 8;
  private static final int LARGEST_BATCH = 1 << 16;

  private final ChunkPlaces places;
  private final ChunkShape shape;
  private final TransferResources resources;
  private final ChunkCodec codec;

  /** The cache; null if chunks are not filtered, or too large to be cached. */
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

  /** Returns whether filtered chunks may be cached. */
  boolean areKept() {
    return cache != null;
  }

  /** Returns the greatest number of bytes that the cache may hold. */
  long room() {
    return cache.room();
  }

  /** Returns the number of chunks that are encoded before any is written. */
  int batchSize() {
    return Math.clamp(BATCH_BYTES / shape.chunkBytes(), SMALLEST_BATCH, LARGEST_BATCH);
  }

  // --- cache ---

  /** Begins a transfer, whose chunks the cache is to keep. */
  void beginTransfer() {
    if (cache != null) {
      cache.beginTransfer();
    }
  }

  /** Ends a transfer or a part of it: writes and evicts the chunks that exceed the budget. */
  void endTransfer(boolean wrote) {
    if (cache != null) {
      if (wrote) {
        writeOut(cache.surplusDirty());
      }
      cache.dropSurplus();
    }
  }

  /** Pins and returns the chunk if it is cached; returns null if not. */
  ChunkCache.Entry pinIfPresent(long[] scaled) {
    return cache == null ? null : cache.pinIfPresent(scaled);
  }

  /**
   * Pins and returns a chunk; chunks must be cached. The size that a file states for large chunks
   * is not trusted before one has been decoded to it: the filters allocate memory as they need it.
   *
   * @param scaled the coordinates, which the cache keeps, so they must not be modified
   */
  ChunkCache.Entry pin(long[] scaled) {
    if (shape.chunkBytes() <= BELIEVED_CHUNK_BYTES) {
      return cache.pin(scaled);
    }
    ChunkCache.Entry present = cache.pinIfPresent(scaled);
    return present != null ? present : pin(scaled, places.find(scaled));
  }

  /** Pins and returns a chunk that was not cached and whose place is known. */
  private ChunkCache.Entry pin(long[] scaled, ChunkLocation location) {
    if (shape.chunkBytes() <= BELIEVED_CHUNK_BYTES || !location.isAllocated()) {
      return cache.pin(scaled);
    }
    try (LentChunk decoded = codec.decoded(scaled, location)) {
      ChunkCache.Entry entry = cache.pin(scaled);
      entry.load(() -> entry.segment().copyFrom(decoded.bytes()));
      return entry;
    }
  }

  /** Lends the elements of a pinned chunk, decoded if they were not, and unpins it. */
  LentChunk use(ChunkCache.Entry pinned) {
    return use(pinned, () -> decode(pinned.scaled, pinned.segment()));
  }

  /** Lends the elements of a chunk at a given place in the file, and caches them. */
  LentChunk use(long[] scaled, ChunkLocation location) {
    ChunkCache.Entry pinned = pin(scaled, location);
    return use(pinned, () -> codec.decode(scaled, location, pinned.segment()));
  }

  private LentChunk use(ChunkCache.Entry pinned, Runnable decoding) {
    try {
      pinned.load(decoding);
    } catch (RuntimeException | Error failure) {
      cache.unpin(pinned);
      throw failure;
    }
    return new LentChunk(pinned.segment(), () -> cache.unpin(pinned));
  }

  /** Lends the elements of a pinned chunk to be changed, marks it as changed, and unpins it. */
  LentChunk change(ChunkCache.Entry pinned) {
    LentChunk chunk = use(pinned);
    cache.markDirty(pinned);
    return chunk;
  }

  /** Discards the cached content of a chunk that was deleted or replaced by other means. */
  void forget(long[] scaled) {
    if (cache != null) {
      cache.discard(scaled);
    }
  }

  // --- from the file ---

  /**
   * Reads the elements of a filtered chunk from the file, or fill values if it is not allocated.
   */
  void decode(long[] scaled, MemorySegment target) {
    ChunkLocation location = places.find(scaled);
    if (location.isAllocated()) {
      codec.decode(scaled, location, target);
    } else {
      shape.fill().fill(target);
    }
  }

  /** Returns the bytes of a chunk without filters, or fill values if it is not allocated. */
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
    try (ChunkCodec.Encoded encoded = codec.encode(scaled, chunk)) {
      put(scaled, encoded.bytes().segment(), encoded.filterMask(), false);
    }
  }

  /** Writes a chunk as it is stored, at its old place if that is permitted, or at a new one. */
  void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
    places.put(scaled, bytes, filterMask, mayOverwrite);
  }

  /** Returns the coordinates of changed chunks in memory, which may not be allocated yet. */
  List<long[]> waiting() {
    return cache == null ? List.of() : cache.dirty().stream().map(entry -> entry.scaled).toList();
  }

  /** Encodes and writes the changed chunks. */
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

  /** A cached chunk that is being written to the file. */
  private final class WriteBack {
    private final ChunkCache.Entry entry;
    private ChunkCodec.Encoded made;

    WriteBack(ChunkCache.Entry entry) {
      this.entry = entry;
    }

    void encode() {
      made = codec.encode(entry.scaled, entry.segment());
    }

    void close() {
      if (made != null) {
        made.close();
      }
    }
  }

  /** Discards everything, including changes, and releases memory. */
  @Override
  public void close() {
    if (cache != null) {
      cache.clear();
    }
    codec.close();
  }
}
