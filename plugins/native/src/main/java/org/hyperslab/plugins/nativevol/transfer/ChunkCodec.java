package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.filter.EncodedChunk;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.StoredChunk;
import org.hyperslab.format.filter.WriteCheck;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;

/**
 * Reads, decodes and encodes the chunks of one dataset; lends each thread the scratch memory that
 * filters need.
 *
 * <p>Thread rule: any thread.
 */
final class ChunkCodec implements AutoCloseable {

  private static final long ARRAY_LIMIT = 1L << 30;

  private final ChunkPlaces places;
  private final ChunkShape shape;
  private final BufferPool pool;
  private final ArrayPool arrays;
  private final ConcurrentLinkedQueue<FilterScratch> scratches = new ConcurrentLinkedQueue<>();

  ChunkCodec(ChunkPlaces places, ChunkShape shape, TransferResources resources) {
    this.places = places;
    this.shape = shape;
    this.pool = resources.buffers();
    this.arrays = resources.arrays();
  }

  /** Returns scratch memory for one thread's use, which goes back to {@link #scratches}. */
  private FilterScratch scratch() {
    FilterScratch known = scratches.poll();
    return known == null ? new FilterScratch() : known;
  }

  /** Reads a filtered chunk and decodes it into {@code target}, which has the size of a chunk. */
  void decode(long[] scaled, ChunkLocation location, MemorySegment target) {
    FilterScratch scratch = scratch();
    try {
      StoredChunk stored = stored(location, scratch);
      long made = shape.pipeline().decode(stored, least(scaled), target, scratch);
      if (made < target.byteSize()) {
        target.asSlice(made).fill((byte) 0);
      }
    } finally {
      scratches.add(scratch);
    }
  }

  /**
   * Returns the number of bytes that a decoded chunk must have. Some programs store the last chunk
   * without what is outside the extent; nobody reads that.
   */
  private long least(long[] scaled) {
    return shape.bytesInside(scaled, places.extent());
  }

  /** Reads a filtered chunk, and lends its decoded bytes. */
  LentChunk decoded(long[] scaled, ChunkLocation location) {
    FilterScratch scratch = scratch();
    try {
      StoredChunk stored = stored(location, scratch);
      long bytes = shape.chunkBytes();
      MemorySegment made = shape.pipeline().decode(stored, least(scaled), bytes, scratch);
      Lease whole = made.byteSize() == bytes ? null : whole(made);
      return new LentChunk(
          whole == null ? made : whole.segment(),
          () -> {
            if (whole != null) {
              whole.close();
            }
            scratches.add(scratch);
          });
    } catch (RuntimeException | Error failure) {
      scratches.add(scratch);
      throw failure;
    }
  }

  /** Returns the bytes of a chunk of which only the begin was stored. */
  private Lease whole(MemorySegment begin) {
    Lease whole = pool.take(shape.chunkBytes());
    whole.segment().copyFrom(begin);
    whole.segment().asSlice(begin.byteSize()).fill((byte) 0);
    return whole;
  }

  /**
   * Lends memory of a chunk's size with unspecified content. Filters work on arrays, so the memory
   * is an array unless the chunk is too large for one.
   */
  LentChunk blank() {
    if (shape.chunkBytes() > ARRAY_LIMIT) {
      Lease large = pool.take(shape.chunkBytes());
      return new LentChunk(large.segment(), large::close);
    }
    byte[] array = arrays.take((int) shape.chunkBytes());
    return new LentChunk(MemorySegment.ofArray(array), () -> arrays.give(array));
  }

  /**
   * Encodes a chunk into a buffer that the caller closes, and checks the buffer if the file is
   * opened so.
   *
   * @param chunk the bytes of the chunk
   * @param what the chunk, for messages
   */
  Encoded encode(MemorySegment chunk, Supplier<String> what) {
    FilterScratch scratch = scratch();
    try {
      WriteCheck check = places.verifiesWrites() ? WriteCheck.begin(shape.pipeline(), chunk) : null;
      EncodedChunk encoded = shape.pipeline().encode(chunk, scratch);
      Lease bytes = pool.take(encoded.bytes().byteSize());
      try {
        bytes.segment().copyFrom(encoded.bytes());
        if (check != null) {
          check.require(stored(bytes, encoded.filterMask()), what, scratch);
        }
      } catch (RuntimeException | Error failure) {
        bytes.close();
        throw failure;
      }
      return new Encoded(bytes, encoded.filterMask());
    } finally {
      scratches.add(scratch);
    }
  }

  /** Encodes the chunk of given coordinates. */
  Encoded encode(long[] scaled, MemorySegment chunk) {
    boolean isInside = shape.bytesInside(scaled, places.extent()) == shape.chunkBytes();
    places.observer().encoded(scaled, chunk, isInside);
    return encode(chunk, () -> "chunk at " + first(scaled) + " of " + places.dataset());
  }

  /** Returns the coordinates of a chunk's first element, for messages. */
  private String first(long[] scaled) {
    long[] first = scaled.clone();
    Arrays.setAll(first, d -> scaled[d] * shape.chunkDims()[d]);
    return Arrays.toString(first);
  }

  private StoredChunk stored(Lease bytes, int filterMask) {
    return new StoredChunk(
        bytes.segment(), filterMask, places.file(), CorruptFileException.NO_OFFSET);
  }

  /** A chunk as it will be stored. */
  record Encoded(Lease bytes, int filterMask) implements AutoCloseable {
    @Override
    public void close() {
      bytes.close();
    }
  }

  private StoredChunk stored(ChunkLocation location, FilterScratch scratch) {
    // Filters may expand incompressible data, but no chunk is much larger than its elements.
    long limit = Math.addExact(Math.multiplyExact(shape.chunkBytes(), 2), 1 << 20);
    if (location.storedBytes() < 0 || location.storedBytes() > limit) {
      throw new CorruptFileException(
          places.file(),
          "chunk",
          location.address(),
          "stored size actual="
              + location.storedBytes()
              + ", expected=0.."
              + limit
              + " for chunks of "
              + shape.chunkBytes()
              + " bytes");
    }
    places.require(location);
    MemorySegment input = scratch.input(location.storedBytes());
    places.read(location.address(), input);
    return new StoredChunk(input, location.filterMask(), places.file(), location.address());
  }

  @Override
  public void close() {
    for (FilterScratch each = scratches.poll(); each != null; each = scratches.poll()) {
      each.close();
    }
  }
}
