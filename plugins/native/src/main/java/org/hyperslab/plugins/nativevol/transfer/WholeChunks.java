package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Selection;

/**
 * Handles the chunks of a dataset as wholes: makes chunks of fill values when chunks are allocated,
 * and cuts chunks or stores them in another form when the dataset's extent changes.
 *
 * <p>Coordinates are scaled: the offset of a chunk's first element divided by the chunk's extent.
 *
 * <p>Thread rule: {@link #lend} in any number of threads, everything else in one thread that holds
 * the file's write lock.
 */
public final class WholeChunks {

  private final DecodedChunks chunks;
  private final ChunkShape shape;

  WholeChunks(DecodedChunks chunks) {
    this.chunks = chunks;
    this.shape = chunks.shape();
  }

  /**
   * Lends the decoded bytes of a whole chunk, in the file's type, or fill values if it is not
   * allocated; from memory if chunks may be cached. The chunk must have no pending changes.
   *
   * @param scaled the coordinates of the chunk; must not be modified afterwards
   * @param extent the extent of the dataset
   * @param user the action to call with the bytes, which it must not keep or change
   */
  public void lend(long[] scaled, long[] extent, Consumer<MemorySegment> user) {
    ChunkLocation location = chunks.places().find(scaled);
    if (!location.isAllocated() || !shape.isFiltered(scaled, extent)) {
      lendUnfiltered(location, user);
    } else if (!chunks.areKept()) {
      use(chunks.codec().decoded(scaled, location), user);
    } else {
      chunks.beginTransfer();
      try {
        use(chunks.use(chunks.pin(scaled)), user);
      } finally {
        chunks.endTransfer(false);
      }
    }
  }

  private static void use(LentChunk lent, Consumer<MemorySegment> user) {
    try (LentChunk chunk = lent) {
      user.accept(chunk.bytes());
    }
  }

  private void lendUnfiltered(ChunkLocation location, Consumer<MemorySegment> user) {
    try (Lease chunk = chunks.pool().take(shape.chunkBytes())) {
      chunks.unfiltered(location).read(0, chunk.segment());
      user.accept(chunk.segment());
    }
  }

  // --- fill values ---

  /** {@return a chunk of fill values as it is stored, filtered if the dataset has filters} */
  public FillChunk fillChunk() {
    if (shape.pipeline().isEmpty()) {
      return new FillChunk(chunks.places(), shape.fill(), shape.chunkBytes(), 0);
    }
    try (Lease chunk = chunks.pool().take(shape.chunkBytes())) {
      shape.fill().fill(chunk.segment());
      try (ChunkCodec.Encoded encoded =
          chunks
              .codec()
              .encode(
                  chunk.segment(), () -> "chunks of fill values of " + chunks.places().dataset())) {
        byte[] stored = encoded.bytes().segment().toArray(ValueLayout.JAVA_BYTE);
        FillPattern pattern = FillPattern.of(stored);
        return new FillChunk(chunks.places(), pattern, stored.length, encoded.filterMask());
      }
    }
  }

  /**
   * Fills an allocated chunk without filters with the fill value.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   */
  public void fill(long[] scaled) {
    RawBytes bytes = new ChunkBytes(chunks.places(), chunks.places().find(scaled).address());
    shape.fill().write(bytes, 0, shape.chunkBytes());
  }

  /**
   * Allocates a chunk and writes fill values to it.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param extent the extent, elements in each dimension
   */
  public void allocate(long[] scaled, long[] extent) {
    if (chunks.places().find(scaled).isAllocated()) {
      return;
    }
    try (Lease chunk = chunks.pool().take(shape.chunkBytes())) {
      shape.fill().fill(chunk.segment());
      chunks.store(scaled, extent, chunk.segment());
    }
  }

  // --- change of the extent ---

  /**
   * Sets the elements of a chunk outside an extent to the fill value, as they must read when the
   * extent grows again.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param oldExtent the previous extent
   * @param newExtent the smaller extent, in which part of the chunk remains
   */
  public void clearOutside(long[] scaled, long[] oldExtent, long[] newExtent) {
    withLoaded(
        scaled,
        oldExtent,
        chunk -> {
          fillOutside(chunk, shape.inside(scaled, newExtent));
          chunks.store(scaled, newExtent, chunk);
        });
    chunks.forget(scaled);
  }

  /** Sets the elements of a chunk outside the box at its origin to the fill value. */
  private void fillOutside(MemorySegment chunk, long[] inside) {
    Selection outside =
        Selection.box(new long[inside.length], inside).complement(shape.chunkDims());
    var runs = outside.runs(shape.chunkDims());
    while (runs.next()) {
      long at = runs.offset() * shape.elementSize();
      shape.fill().fill(chunk.asSlice(at, runs.length() * shape.elementSize()));
    }
  }

  /**
   * Stores a chunk again that becomes filtered or unfiltered because the extent changes.
   *
   * @param scaled the chunk, by its coordinates in units of chunks
   * @param oldExtent the previous extent, elements in each dimension
   * @param newExtent the new extent, elements in each dimension
   */
  public void restore(long[] scaled, long[] oldExtent, long[] newExtent) {
    withLoaded(scaled, oldExtent, chunk -> chunks.store(scaled, newExtent, chunk));
    chunks.forget(scaled);
  }

  /**
   * Lends the bytes of an allocated chunk to be changed and stored. No more memory is allocated for
   * them than the file holds or the filters produce.
   */
  private void withLoaded(long[] scaled, long[] extent, Consumer<MemorySegment> user) {
    ChunkLocation location = chunks.places().find(scaled);
    ChunkCache.Entry present = chunks.pinIfPresent(scaled);
    if (present != null) {
      // Storing may fail: cached content stays unchanged until it is discarded.
      use(chunks.use(present), kept -> withCopy(kept, user));
    } else if (shape.isFiltered(scaled, extent)) {
      use(chunks.codec().decoded(scaled, location), user);
    } else {
      // A chunk's full size, whatever stored size a version 1 B-tree records.
      chunks.places().require(new ChunkLocation(location.address(), shape.chunkBytes(), 0));
      lendUnfiltered(location, user);
    }
  }

  private void withCopy(MemorySegment kept, Consumer<MemorySegment> user) {
    try (Lease copy = chunks.pool().take(shape.chunkBytes())) {
      copy.segment().copyFrom(kept);
      user.accept(copy.segment());
    }
  }
}
