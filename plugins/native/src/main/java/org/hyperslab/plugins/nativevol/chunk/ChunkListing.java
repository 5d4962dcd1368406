package org.hyperslab.plugins.nativevol.chunk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;

/**
 * Lists the chunks of a dataset that are stored in the file. An index may hold chunks outside the
 * extent.
 *
 * <p>Thread rule: under the file's read lock.
 */
public final class ChunkListing {

  private final DatasetChunks chunks;
  private final ChunkIndex index;
  private final ChunkShape shape;

  ChunkListing(DatasetChunks chunks) {
    this.chunks = chunks;
    this.index = chunks.index();
    this.shape = chunks.shape();
  }

  /**
   * Returns the scaled coordinates of the chunks that meet a condition, in the order of the index.
   */
  List<long[]> coordinates(Predicate<long[]> condition) {
    List<long[]> all = new ArrayList<>();
    index.forEach((scaled, _) -> {
      if (condition.test(scaled)) {
        all.add(scaled.clone());
      }
      return true;
    });
    return all;
  }

  /**
   * Calls an action for each chunk within the extent, with the offset of its first element and its
   * extent.
   *
   * @param action receives the offset of the chunk's first element and the chunk's extent, in
   *     elements
   */
  public void forEachInside(BiConsumer<long[], long[]> action) {
    long[] extent = chunks.extent();
    index.forEach((scaled, location) -> {
      if (!shape.isOutside(scaled, extent)) {
        chunks.require(location);
        action.accept(shape.origin(scaled), shape.chunkDims());
      }
      return true;
    });
  }

  /** {@return every chunk, with its offset in the byte store} */
  public List<ChunkPlace> places() {
    List<ChunkPlace> places = new ArrayList<>();
    index.forEach((scaled, location) -> {
      places.add(chunks.inStore(scaled.clone(), location));
      return true;
    });
    return places;
  }

  /**
   * {@return a page of the chunks, in row-major order}
   *
   * @param page the order, and the entries to return
   */
  public Page<ChunkInfo> page(PageRequest page) {
    boolean inOrder = chunks.kind() != ChunkIndexKind.EXTENSIBLE_ARRAY; // which may not start at 0
    if (inOrder && !page.descending() && page.position() == 0) {
      return firstPage(page.limit());
    }
    chunks.requireImplicitBlock();
    ChunkOrder order = chunks.inOrder();
    int from = (int) Math.min(page.position(), order.count());
    int to = (int) Math.min((long) from + page.limit(), order.count());
    List<ChunkInfo> entries = new ArrayList<>();
    for (int i = from; i < to; i++) {
      long[] scaled = order.scaled(page.descending() ? order.count() - 1 - i : i);
      entries.add(info(scaled, index.find(scaled)));
    }
    return new Page<>(entries, to == order.count());
  }

  private Page<ChunkInfo> firstPage(int limit) {
    List<ChunkInfo> entries = new ArrayList<>();
    boolean[] more = new boolean[1];
    index.forEach((scaled, location) -> {
      more[0] = entries.size() == limit;
      if (!more[0]) {
        entries.add(info(scaled, location));
      }
      return !more[0];
    });
    return new Page<>(entries, !more[0]);
  }

  private ChunkInfo info(long[] scaled, ChunkLocation location) {
    ChunkPlace place = chunks.inStore(scaled, location);
    List<Long> offset = Arrays.stream(shape.origin(scaled)).boxed().toList();
    return new ChunkInfo(offset, place.offset(), place.storedBytes(), place.filterMask());
  }

  /**
   * The size of all chunks as stored, and their number.
   *
   * @param bytes the sum of the sizes, or {@link Long#MAX_VALUE} if it is greater
   */
  record Total(long bytes, long count) {}

  /** Returns the size and number of all chunks. */
  Total total() {
    if (chunks.kind() == ChunkIndexKind.IMPLICIT) {
      boolean made = index.rootAddress() != FileGeometry.UNDEFINED;
      long count = made ? shape.count(chunks.extent()) : 0;
      return new Total(ChunkShape.product(count, shape.chunkBytes()), count);
    }
    long[] sum = new long[2];
    index.forEach((_, location) -> {
      sum[0] += location.storedBytes();
      sum[1]++;
      return true;
    });
    return new Total(sum[0], sum[1]);
  }
}
