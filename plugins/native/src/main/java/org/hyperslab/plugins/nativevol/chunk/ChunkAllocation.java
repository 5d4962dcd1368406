package org.hyperslab.plugins.nativevol.chunk;

import java.util.Arrays;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.transfer.FillChunk;

/**
 * Allocates many chunks at once: one block of the file for all of them, as all have the same size,
 * and one entry in the index for each.
 *
 * <p>The size of chunks comes from the file. Where writing fill values would take more than {@value
 * #MAX_FILLED_BYTES} bytes, or encoding one chunk more than {@value #MAX_ENCODED_BYTES} bytes of
 * memory, chunks are allocated when they are written instead; until then they read as the fill
 * value. An implicit index requires all chunks to be allocated, so such a dataset is refused.
 *
 * <p>Thread rule: under the file's write lock.
 */
public final class ChunkAllocation {

  /** The share of the JVM's memory, as a divisor, that an index may take until it is flushed. */
  private static final int MEMORY_SHARE = 16;

  /** The most bytes of fill values that are written in advance. */
  private static final long MAX_FILLED_BYTES = 1L << 30;

  /** The most bytes of one chunk that is made of fill values and encoded in advance. */
  private static final long MAX_ENCODED_BYTES = 256L << 20;

  private final DatasetHeader header;
  private final NativeFile file;
  private final DatasetChunks chunks;
  private final ChunkIndex index;
  private final ChunkShape shape;
  private final long[] extent;

  ChunkAllocation(DatasetHeader header, DatasetChunks chunks, ChunkIndex index, ChunkShape shape) {
    this.header = header;
    this.file = header.context().file();
    this.chunks = chunks;
    this.index = index;
    this.shape = shape;
    this.extent = header.description().space().dims();
  }

  /**
   * Allocates the chunks that an earlier extent did not have, and fills them with the fill value.
   *
   * @param oldExtent the earlier extent in elements; zeros for all chunks
   * @throws InvalidUseException if the index of the new chunks would not fit in memory
   */
  void allocateOutside(long[] oldExtent) {
    requireRoom(oldExtent, extent);
    boolean implicit = chunks.kind() == ChunkIndexKind.IMPLICIT;
    if (implicit) {
      requireFillable();
    }
    boolean created = index.create();
    if (created) {
      chunks.layoutChanged();
    }
    if (implicit) {
      if (created) {
        fillImplicit();
      }
    } else {
      placeAll(oldExtent);
    }
  }

  /**
   * Requires that the chunks of an implicit index can be filled. They are allocated with the index,
   * so they must be filled then.
   */
  private void requireFillable() {
    long bytes = ChunkShape.product(shape.count(extent), shape.chunkBytes());
    boolean made = index.rootAddress() != FileGeometry.UNDEFINED;
    if (!made && isFilled() && !shape.fill().isZero() && bytes > MAX_FILLED_BYTES) {
      throw new InvalidUseException(
          "fill values to write at once: actual="
              + bytes
              + " bytes, expected=at most "
              + MAX_FILLED_BYTES
              + " where the chunk index is implicit, at="
              + file.name()
              + "; recreate the dataset with another chunk index, for example with hyperslab"
              + " repack");
    }
  }

  /**
   * Fills the chunks that an implicit index has allocated: all chunks, or only those of the extent.
   */
  private void fillImplicit() {
    long address = index.rootAddress();
    long bytes = chunks.blockBytes();
    FillChunk fill = chunks.whole().fillChunk();
    boolean whole = Arrays.equals(extent, header.description().space().maxDims());
    if (fill.isZero() || (whole && !shape.fill().isOwned())) {
      fill(fill, address, bytes);
      return;
    }
    file.raw().extendStore();
    if (isFilled()) {
      forEachOutside(new long[extent.length], chunks.whole()::fill);
    }
  }

  /**
   * Fills new space. Space that was never part of the file reads as zeros once the file extends
   * over it.
   */
  private void fill(FillChunk fill, long address, long bytes) {
    if (isFilled()) {
      fill.write(address, fill.isZero() ? file.raw().usedBytes(address, bytes) : bytes);
    }
    file.raw().extendStore();
  }

  private boolean isWritten(FillChunk fill) {
    return isFilled() && !fill.isZero();
  }

  private boolean isFilled() {
    boolean never = header.description().fill().write() == FillValueMessage.Write.NEVER;
    return !never || !shape.pipeline().isEmpty(); // bytes that are decoded must have been encoded
  }

  /**
   * {@return whether the chunks of a new dataset are few enough to be filled when it is created}
   *
   * @param grid the grid of chunks
   */
  public static boolean mayFill(ChunkGrid grid) {
    long bytes = grid.chunkBytes();
    for (int d = 0; d < grid.rank(); d++) {
      bytes = ChunkShape.product(bytes, Math.ceilDiv(grid.dims()[d], grid.chunkDims()[d]));
    }
    return bytes <= MAX_FILLED_BYTES;
  }

  private void placeAll(long[] oldExtent) {
    if (!shape.pipeline().isEmpty() && shape.chunkBytes() > MAX_ENCODED_BYTES) {
      return;
    }
    boolean alike =
        !shape.fill().isOwned() && (shape.pipeline().isEmpty() || shape.filterPartialEdges());
    if (!alike) {
      forEachMissing(oldExtent, scaled -> chunks.whole().allocate(scaled, extent));
      return;
    }
    long[] missing = new long[1];
    forEachMissing(oldExtent, _ -> missing[0]++);
    if (missing[0] == 0) {
      return;
    }
    FillChunk fill = chunks.whole().fillChunk();
    if (isWritten(fill) && ChunkShape.product(missing[0], fill.storedBytes()) > MAX_FILLED_BYTES) {
      return;
    }
    boolean together = file.raw().packs(fill.storedBytes());
    long[] next = {together ? block(fill, missing[0]) : 0};
    boolean[] moved = new boolean[1];
    forEachMissing(
        oldExtent,
        scaled -> {
          long address = together ? next[0] : block(fill, 1);
          next[0] += fill.storedBytes();
          ChunkLocation place = new ChunkLocation(address, fill.storedBytes(), fill.filterMask());
          moved[0] |= index.put(scaled, place);
        });
    if (moved[0]) {
      chunks.layoutChanged();
    }
  }

  /** Allocates adjacent space for {@code count} chunks and fills it. */
  private long block(FillChunk fill, long count) {
    long bytes = ChunkShape.product(count, fill.storedBytes());
    long address = file.raw().allocate(header.address(), bytes);
    fill(fill, address, bytes);
    return address;
  }

  /**
   * Requires that the index of new chunks fits in memory until it is flushed.
   *
   * @throws InvalidUseException if it does not
   */
  void requireRoom(long[] oldExtent, long[] newExtent) {
    if (chunks.kind() == ChunkIndexKind.IMPLICIT) {
      return;
    }
    long[] kept = newExtent.clone();
    for (int d = 0; d < kept.length; d++) {
      kept[d] = Math.min(newExtent[d], oldExtent[d]);
    }
    long wanted = shape.count(newExtent) - shape.count(kept);
    long bytesOfOne = (long) Long.BYTES * (extent.length + 4);
    long most = Runtime.getRuntime().maxMemory() / MEMORY_SHARE / bytesOfOne;
    if (wanted > most) {
      throw new InvalidUseException(
          "chunks to allocate at once: actual="
              + wanted
              + ", expected=at most "
              + most
              + " in this memory, at="
              + file.name()
              + "; use larger chunks, set a later allocation time, or give the JVM more memory");
    }
  }

  private void forEachMissing(long[] oldExtent, Consumer<long[]> action) {
    forEachOutside(
        oldExtent,
        scaled -> {
          if (!index.find(scaled).isAllocated()) {
            action.accept(scaled);
          }
        });
  }

  /** Visits the chunks that an earlier extent did not have, in row-major order. */
  private void forEachOutside(long[] oldExtent, Consumer<long[]> action) {
    if (shape.count(extent) == 0) {
      return;
    }
    int last = extent.length - 1;
    long lastChunk = shape.chunkDims()[last];
    long firstNew = Math.ceilDiv(Math.min(oldExtent[last], extent[last]), lastChunk);
    long end = Math.ceilDiv(extent[last], lastChunk);
    long[] scaled = new long[extent.length];
    do {
      scaled[last] = 0;
      boolean rowIsNew = shape.isOutside(scaled, oldExtent);
      for (scaled[last] = rowIsNew ? 0 : firstNew; scaled[last] < end; scaled[last]++) {
        action.accept(scaled);
      }
      scaled[last] = end - 1;
    } while (shape.advance(scaled, extent));
  }
}
