package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.format.chunk.ChunkLocation;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;

/**
 * Moves elements between memory and a chunked dataset. Chunks are shared by threads: each is read,
 * decoded and moved, or moved and encoded, by one of them. Places in the file are given out by the
 * caller's thread alone, in order of chunks, so that the same calls make the same file.
 *
 * <p>Chunks without filters are read and written in place, run by run. A filtered chunk that is
 * written in part waits decoded in the cache until it is pushed out or {@link #flush}ed.
 *
 * <p>Thread rule: any number of readers, or one writer that holds the file's write lock.
 */
public final class ChunkedTransfer implements AutoCloseable {

  /** Chunks larger than this are not cached. */
  private static final long CACHED_CHUNK_LIMIT = 1L << 30;

  /** Memory for chunks no larger than this is taken on the file's word. */
  private static final long BELIEVED_CHUNK_BYTES = 16L << 20;

  /** Decoded bytes of the chunks that are encoded before any is written. */
  private static final long BATCH_BYTES = 32L << 20;

  private static final int SMALLEST_BATCH = 8;

  /** What the caller's thread moves alone from chunks that are decoded already. */
  private static final long ALONE_BYTES = 1L << 20;

  /** Chunks looked for in the cache before any that is absent is read. */
  private static final int LOOK_AHEAD = 4096;

  private final ChunkPlaces places;
  private final ChunkShape shape;
  private final Workers workers;
  private final BufferPool pool;
  private final ChunkCodec codec;
  private final ChunkCache cache;

  /**
   * The chunks of a dataset.
   *
   * @param budget the memory for cached chunks
   */
  public ChunkedTransfer(
      ChunkPlaces places, ChunkShape shape, TransferResources resources, CacheBudget budget) {
    this.places = places;
    this.shape = shape;
    this.workers = resources.workers();
    this.pool = resources.buffers();
    this.codec = new ChunkCodec(places, shape, resources);
    boolean cached = !shape.pipeline().isEmpty() && shape.chunkBytes() <= CACHED_CHUNK_LIMIT;
    this.cache =
        cached ? new ChunkCache((int) shape.chunkBytes(), budget, resources.arrays()) : null;
  }

  // --- reading ---

  /** Reads what the transfer says. */
  public void read(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.targetSize());
    if (cache != null) {
      cache.beginTransfer();
    }
    Iterator<ChunkPiece> pieces =
        transfer.fileSelection().chunks(transfer.fileExtent(), shape.chunkDims());
    PieceAction action = (piece, own) -> readPiece(transfer, piece, own);
    if (cache != null) {
      each(moveCached(pieces, transfer, mover).iterator(), mover, action);
    }
    each(pieces, mover, action);
    if (cache != null) {
      cache.dropSurplus();
    }
  }

  /**
   * Moves those of the first pieces that are decoded already: to tell another thread of a small
   * piece costs more than to move it. Stops when the transfer proves to be a large one.
   *
   * @return the pieces passed over, whose chunks must be read
   */
  private List<ChunkPiece> moveCached(
      Iterator<ChunkPiece> pieces, ElementTransfer transfer, ElementMover mover) {
    List<ChunkPiece> absent = new ArrayList<>();
    long movedBytes = 0;
    while (movedBytes < ALONE_BYTES && absent.size() < LOOK_AHEAD && pieces.hasNext()) {
      ChunkPiece piece = pieces.next();
      ChunkCache.Entry present = cache.pinIfPresent(piece.scaled());
      if (present == null) {
        absent.add(piece);
      } else {
        movePresent(transfer, piece, mover, present);
        movedBytes += piece.elementCount() * mover.targetSize();
      }
    }
    return absent;
  }

  private interface PieceAction {
    void run(ChunkPiece piece, ElementMover mover);
  }

  private void each(Iterator<ChunkPiece> pieces, ElementMover mover, PieceAction action) {
    if (mover.parallel() && workers.threads() > 1) {
      workers.forEach(pieces, piece -> action.run(piece, mover.fork()));
    } else {
      pieces.forEachRemaining(piece -> action.run(piece, mover));
    }
  }

  private void readPiece(ElementTransfer transfer, ChunkPiece piece, ElementMover mover) {
    long[] scaled = piece.scaled();
    if (!shape.isFiltered(scaled, transfer.fileExtent())) {
      RawBytes bytes = unfiltered(places.find(scaled));
      readRuns(transfer, piece, mover, bytes);
      return;
    }
    ChunkCache.Entry present = cache == null ? null : cache.pinIfPresent(scaled);
    if (present == null) {
      readFilteredPiece(transfer, piece, mover);
      return;
    }
    movePresent(transfer, piece, mover, present);
  }

  private void movePresent(
      ElementTransfer transfer, ChunkPiece piece, ElementMover mover, ChunkCache.Entry present) {
    try {
      present.load(() -> loadFiltered(piece.scaled(), present.segment()));
      moveToMemory(transfer, piece, mover, present.segment());
    } finally {
      cache.unpin(present);
    }
  }

  private void readFilteredPiece(ElementTransfer transfer, ChunkPiece piece, ElementMover mover) {
    long[] scaled = piece.scaled();
    ChunkLocation location = places.find(scaled);
    if (!location.isAllocated()) {
      readRuns(transfer, piece, mover, shape.fill().bytes());
    } else if (cache == null || piece.coversExtent()) {
      codec.withDecoded(location, bytes -> moveToMemory(transfer, piece, mover, bytes));
    } else {
      ChunkCache.Entry entry = pin(scaled);
      try {
        entry.load(() -> codec.decode(location, entry.segment()));
        moveToMemory(transfer, piece, mover, entry.segment());
      } finally {
        cache.unpin(entry);
      }
    }
  }

  /**
   * The chunk in the cache, pinned. What a file says of the size of large chunks is not believed
   * before one has been decoded to it: the filters take memory as they need it.
   */
  private ChunkCache.Entry pin(long[] scaled) {
    if (shape.chunkBytes() <= BELIEVED_CHUNK_BYTES) {
      return cache.pin(scaled);
    }
    ChunkCache.Entry[] entry = {cache.pinIfPresent(scaled)};
    if (entry[0] == null) {
      ChunkLocation location = places.find(scaled);
      if (!location.isAllocated()) {
        return cache.pin(scaled);
      }
      codec.withDecoded(
          location,
          bytes -> {
            entry[0] = cache.pin(scaled);
            entry[0].load(() -> entry[0].segment().copyFrom(bytes));
          });
    }
    return entry[0];
  }

  /** The bytes of an unfiltered chunk, or the fill value's if it has none. */
  private RawBytes unfiltered(ChunkLocation location) {
    return location.isAllocated()
        ? new ChunkBytes(places, location.address())
        : shape.fill().bytes();
  }

  private void readRuns(
      ElementTransfer transfer, ChunkPiece piece, ElementMover mover, RawBytes bytes) {
    var memory = new RunReader.Memory(transfer.memory(), pool);
    new RunReader(bytes, pairs(transfer, piece), mover, memory, shape.chunkBytes()).run();
  }

  private static RunPairs pairs(ElementTransfer transfer, ChunkPiece piece) {
    return piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
  }

  private void moveToMemory(
      ElementTransfer transfer, ChunkPiece piece, ElementMover mover, MemorySegment chunk) {
    RunPairs pairs = pairs(transfer, piece);
    int fileSize = mover.sourceSize();
    int memorySize = mover.targetSize();
    while (pairs.nextGroup()) {
      mover.move(
          chunk,
          new ElementMover.Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
          transfer.memory(),
          new ElementMover.Steps(
              pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          pairs.length(),
          pairs.repeats());
    }
  }

  private void moveToChunk(
      ElementTransfer transfer, ChunkPiece piece, ElementMover mover, MemorySegment chunk) {
    RunPairs pairs = pairs(transfer, piece);
    int fileSize = mover.targetSize();
    int memorySize = mover.sourceSize();
    while (pairs.nextGroup()) {
      mover.move(
          transfer.memory(),
          new ElementMover.Steps(
              pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          chunk,
          new ElementMover.Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
          pairs.length(),
          pairs.repeats());
    }
  }

  private void loadFiltered(long[] scaled, MemorySegment target) {
    ChunkLocation location = places.find(scaled);
    if (location.isAllocated()) {
      codec.decode(location, target);
    } else {
      shape.fill().fill(target);
    }
  }

  /**
   * Lends the bytes of a whole chunk as its elements are in memory order, decoded, or of fill
   * values if it has no place; from the cache where it may be there.
   *
   * @param extent the dataset's
   * @param user must not keep or change them
   */
  public void lend(long[] scaled, long[] extent, Consumer<MemorySegment> user) {
    ChunkLocation location = places.find(scaled);
    if (!location.isAllocated() || !shape.isFiltered(scaled, extent)) {
      try (BufferPool.Buffer whole = pool.take(shape.chunkBytes())) {
        unfiltered(location).read(0, whole.segment());
        user.accept(whole.segment());
      }
    } else if (cache == null) {
      codec.withDecoded(location, user);
    } else {
      cache.beginTransfer();
      ChunkCache.Entry entry = pin(scaled);
      try {
        entry.load(() -> codec.decode(location, entry.segment()));
        user.accept(entry.segment());
      } finally {
        cache.unpin(entry);
        cache.dropSurplus();
      }
    }
  }

  // --- writing ---

  /** Writes what the transfer says. */
  public void write(ElementTransfer transfer, ElementMover mover) {
    transfer.requireMemory(mover.sourceSize());
    if (cache != null) {
      cache.beginTransfer();
    }
    Iterator<ChunkPiece> pieces =
        transfer.fileSelection().chunks(transfer.fileExtent(), shape.chunkDims());
    int batchSize = Math.clamp(BATCH_BYTES / shape.chunkBytes(), SMALLEST_BATCH, 1 << 16);
    List<ChunkPiece> batch = new ArrayList<>();
    while (pieces.hasNext()) {
      batch.clear();
      while (pieces.hasNext() && batch.size() < batchSize) {
        batch.add(pieces.next());
      }
      writeBatch(transfer, batch, mover);
    }
  }

  private void writeBatch(ElementTransfer transfer, List<ChunkPiece> batch, ElementMover mover) {
    List<Pending> pending = new ArrayList<>();
    for (ChunkPiece piece : batch) {
      pending.add(prepare(transfer, piece, mover));
    }
    try {
      if (mover.parallel() && workers.threads() > 1) {
        workers.forEach(pending.iterator(), each -> each.fill(mover.fork()));
      } else {
        pending.forEach(each -> each.fill(mover));
      }
      pending.forEach(Pending::store);
    } finally {
      pending.forEach(Pending::close);
    }
    if (cache != null) {
      writeOut(cache.surplusDirty());
      cache.dropSurplus();
    }
  }

  private Pending prepare(ElementTransfer transfer, ChunkPiece piece, ElementMover mover) {
    long[] scaled = piece.scaled();
    boolean covers = piece.coversExtent() && !mover.needsBackground();
    if (!shape.isFiltered(scaled, transfer.fileExtent())) {
      ChunkLocation location = places.find(scaled);
      return location.isAllocated() && places.mayOverwrite(scaled, location)
          ? new InPlace(transfer, piece, location)
          : new Whole(transfer, piece, false, covers);
    }
    if (covers || cache == null) {
      return new Whole(transfer, piece, true, covers);
    }
    return new Cached(transfer, piece);
  }

  /** A chunk being written: filled by some thread, stored by the caller's. */
  private interface Pending extends AutoCloseable {
    void fill(ElementMover mover);

    default void store() {}

    @Override
    default void close() {}
  }

  /** Runs that go straight into a chunk without filters. */
  private final class InPlace implements Pending {
    private final ElementTransfer transfer;
    private final ChunkPiece piece;
    private final ChunkLocation location;

    InPlace(ElementTransfer transfer, ChunkPiece piece, ChunkLocation location) {
      this.transfer = transfer;
      this.piece = piece;
      this.location = location;
    }

    @Override
    public void fill(ElementMover mover) {
      var memory = new RunReader.Memory(transfer.memory(), pool);
      RawBytes bytes = new ChunkBytes(places, location.address());
      new RunWriter(bytes, pairs(transfer, piece), mover, memory, shape.chunkBytes()).run();
    }
  }

  /** A chunk of which everything is made here. */
  private final class Whole implements Pending {
    private final ElementTransfer transfer;
    private final ChunkPiece piece;
    private final boolean filtered;
    private final boolean covers;
    private ChunkCodec.Encoded made;

    Whole(ElementTransfer transfer, ChunkPiece piece, boolean filtered, boolean covers) {
      this.transfer = transfer;
      this.piece = piece;
      this.filtered = filtered;
      this.covers = covers;
    }

    @Override
    public void fill(ElementMover mover) {
      if (filtered) {
        codec.withChunk(chunk -> {
          make(chunk, mover);
          made = codec.encode(chunk);
        });
      } else {
        made = new ChunkCodec.Encoded(pool.take(shape.chunkBytes()), 0);
        make(made.bytes().segment(), mover);
      }
    }

    private void make(MemorySegment chunk, ElementMover mover) {
      if (!covers) {
        load(chunk);
      } else if (!piece.isWhole() || mover.needsBackground()) {
        shape.fill().fill(chunk);
      }
      moveToChunk(transfer, piece, mover, chunk);
    }

    private void load(MemorySegment chunk) {
      if (filtered) {
        loadFiltered(piece.scaled(), chunk);
      } else {
        unfiltered(places.find(piece.scaled())).read(0, chunk);
      }
    }

    @Override
    public void store() {
      long[] scaled = piece.scaled();
      put(scaled, made.bytes().segment(), made.filterMask(), !filtered);
      forget(scaled);
    }

    @Override
    public void close() {
      if (made != null) {
        made.close();
      }
    }
  }

  private void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
    ChunkLocation place = places.place(scaled, bytes.byteSize(), filterMask, mayOverwrite);
    places.write(place.address(), bytes);
  }

  /** Part of a filtered chunk: it waits in the cache. */
  private final class Cached implements Pending {
    private final ElementTransfer transfer;
    private final ChunkPiece piece;

    Cached(ElementTransfer transfer, ChunkPiece piece) {
      this.transfer = transfer;
      this.piece = piece;
    }

    @Override
    public void fill(ElementMover mover) {
      ChunkCache.Entry entry = pin(piece.scaled());
      try {
        entry.load(() -> loadFiltered(entry.scaled, entry.segment()));
        cache.markDirty(entry);
        moveToChunk(transfer, piece, mover, entry.segment());
      } finally {
        cache.unpin(entry);
      }
    }
  }

  // --- flushing and changing ---

  /** Encodes and writes what waits in the cache; the file's write lock is held. */
  public void flush() {
    if (cache != null) {
      List<ChunkCache.Entry> dirty = cache.dirty();
      int batchSize = Math.clamp(BATCH_BYTES / shape.chunkBytes(), SMALLEST_BATCH, 1 << 16);
      for (int from = 0; from < dirty.size(); from += batchSize) {
        writeOut(dirty.subList(from, Math.min(dirty.size(), from + batchSize)));
      }
    }
  }

  private void writeOut(List<ChunkCache.Entry> dirty) {
    List<WriteBack> all = dirty.stream().map(WriteBack::new).toList();
    try {
      workers.forEach(all.iterator(), WriteBack::encode);
      for (WriteBack each : all) {
        put(each.entry.scaled, each.made.bytes().segment(), each.made.filterMask(), false);
        cache.markClean(each.entry);
      }
    } finally {
      all.forEach(WriteBack::close);
    }
  }

  /** A cached chunk on its way to the file. */
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

  /** A chunk of fill values as it is stored, filtered if the dataset has filters. */
  public FillChunk fillChunk() {
    if (shape.pipeline().isEmpty()) {
      return new FillChunk(places, shape.fill(), shape.chunkBytes(), 0);
    }
    try (BufferPool.Buffer chunk = pool.take(shape.chunkBytes())) {
      shape.fill().fill(chunk.segment());
      try (ChunkCodec.Encoded encoded = codec.encode(chunk.segment())) {
        byte[] stored = encoded.bytes().segment().toArray(ValueLayout.JAVA_BYTE);
        return new FillChunk(places, FillPattern.of(stored), stored.length, encoded.filterMask());
      }
    }
  }

  /** Fills a chunk that has a place, without filters, with the fill value. */
  public void fill(long[] scaled) {
    RawBytes bytes = new ChunkBytes(places, places.find(scaled).address());
    shape.fill().write(bytes, 0, shape.chunkBytes());
  }

  /** Writes a chunk of fill values where there is none. */
  public void allocate(long[] scaled, long[] extent) {
    if (places.find(scaled).isAllocated()) {
      return;
    }
    try (BufferPool.Buffer chunk = pool.take(shape.chunkBytes())) {
      shape.fill().fill(chunk.segment());
      store(scaled, extent, chunk.segment());
    }
  }

  /**
   * Sets the elements of a chunk that an extent leaves outside to the fill value, as they must read
   * when the extent grows again.
   *
   * @param oldExtent the extent until now
   * @param newExtent the smaller extent, in which part of the chunk remains
   */
  public void clearOutside(long[] scaled, long[] oldExtent, long[] newExtent) {
    withLoaded(
        scaled,
        oldExtent,
        chunk -> {
          long[] inside = new long[scaled.length];
          for (int d = 0; d < inside.length; d++) {
            long first = scaled[d] * shape.chunkDims()[d];
            inside[d] = Math.min(shape.chunkDims()[d], newExtent[d] - first);
          }
          long[] origin = new long[inside.length];
          Selection outside = Selection.box(origin, inside).complement(shape.chunkDims());
          var runs = outside.runs(shape.chunkDims());
          while (runs.next()) {
            long at = runs.offset() * shape.elementSize();
            shape.fill().fill(chunk.asSlice(at, runs.length() * shape.elementSize()));
          }
          store(scaled, newExtent, chunk);
        });
    forget(scaled);
  }

  /** Stores a chunk again whose being filtered or not depends on the extent, which changes. */
  public void restore(long[] scaled, long[] oldExtent, long[] newExtent) {
    withLoaded(scaled, oldExtent, chunk -> store(scaled, newExtent, chunk));
    forget(scaled);
  }

  /**
   * Lends the bytes of a chunk that has a place, to be changed and stored; what is allocated for
   * them is no more than the file holds or filters make of it.
   */
  private void withLoaded(long[] scaled, long[] extent, Consumer<MemorySegment> user) {
    ChunkLocation location = places.find(scaled);
    ChunkCache.Entry present = cache == null ? null : cache.pinIfPresent(scaled);
    if (present != null) {
      try (BufferPool.Buffer chunk = pool.take(shape.chunkBytes())) {
        present.load(() -> loadFiltered(scaled, present.segment()));
        chunk.segment().copyFrom(present.segment());
        user.accept(chunk.segment());
      } finally {
        cache.unpin(present);
      }
    } else if (shape.isFiltered(scaled, extent)) {
      codec.withDecoded(location, user);
    } else {
      // As many bytes as a chunk has, whatever a version 1 B-tree says of its stored size.
      places.require(new ChunkLocation(location.address(), shape.chunkBytes(), 0));
      try (BufferPool.Buffer chunk = pool.take(shape.chunkBytes())) {
        unfiltered(location).read(0, chunk.segment());
        user.accept(chunk.segment());
      }
    }
  }

  private void store(long[] scaled, long[] extent, MemorySegment chunk) {
    if (!shape.isFiltered(scaled, extent)) {
      put(scaled, chunk, 0, false);
      return;
    }
    try (ChunkCodec.Encoded encoded = codec.encode(chunk)) {
      put(scaled, encoded.bytes().segment(), encoded.filterMask(), false);
    }
  }

  /** Forgets what is cached of a chunk that was deleted or replaced by other means. */
  public void forget(long[] scaled) {
    if (cache != null) {
      cache.discard(scaled);
    }
  }

  /** Coordinates of chunks that wait in the cache and may have no place in the file yet. */
  public List<long[]> waiting() {
    return cache == null ? List.of() : cache.dirty().stream().map(entry -> entry.scaled).toList();
  }

  /** Forgets everything that waits, and gives memory back; {@link #flush} comes before. */
  @Override
  public void close() {
    if (cache != null) {
      cache.clear();
    }
    codec.close();
  }
}
