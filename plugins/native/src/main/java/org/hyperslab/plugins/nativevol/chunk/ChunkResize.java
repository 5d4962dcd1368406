package org.hyperslab.plugins.nativevol.chunk;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;

/**
 * Changes a chunked dataset's extent. Chunks that fall outside are removed, the cut-off part of
 * partial chunks is reset to the fill value, and edge chunks that become filtered or unfiltered are
 * stored again.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class ChunkResize {

  private final DatasetHeader header;
  private final NativeFile file;
  private final DatasetChunks chunks;
  private final ChunkIndex index;
  private final ChunkShape shape;
  private final long[] oldExtent;
  private final long[] newExtent;

  /** Creates a change from the present extent to {@code newExtent}, both in elements. */
  ChunkResize(DatasetHeader header, DatasetChunks chunks, long[] newExtent) {
    this.header = header;
    this.file = header.context().file();
    this.chunks = chunks;
    this.index = chunks.index();
    this.shape = chunks.shape();
    this.oldExtent = chunks.extent();
    this.newExtent = newExtent;
  }

  /**
   * Changes the chunks as the new extent requires, before the dataspace message is changed. Where
   * the extent only grows, chunks that wait in memory stay there: an unfinished chunk at the edge
   * is encoded once, not for each row that is appended.
   *
   * @param early whether chunks are allocated with the dataset
   * @return the work to do once the dataspace message is changed
   * @throws InvalidUseException if readers of other processes could not follow, or too many chunks
   *     would be allocated; nothing is changed then
   */
  Runnable run(boolean early) {
    requireFollowable();
    if (early) {
      chunks.allocation().requireRoom(oldExtent, newExtent);
    }
    boolean edgesChange = !shape.pipeline().isEmpty() && !shape.filterPartialEdges();
    boolean stay = !isSmaller() && !edgesChange && !early;
    if (!stay) {
      chunks.transfers().flush();
    }
    chunks.requireImplicitBlock();
    file.extentChanges(header.address(), oldExtent);
    if (isSmaller() || edgesChange) {
      fitChunks();
    }
    index.extentChanged(newExtent);
    if (index.ownsChunkSpace() && index.rootAddress() != FileGeometry.UNDEFINED) {
      return this::fillGained;
    }
    return early ? () -> chunks.allocation().allocateOutside(oldExtent) : () -> {};
  }

  private void requireFollowable() {
    if (file.publishes() && isSmaller()) {
      throw new InvalidUseException(
          "SWMR writing: actual=extent made smaller to "
              + Arrays.toString(newExtent)
              + ", expected=at least "
              + Arrays.toString(oldExtent)
              + ", at="
              + file.name());
    }
  }

  private boolean isSmaller() {
    for (int d = 0; d < newExtent.length; d++) {
      if (newExtent[d] < oldExtent[d]) {
        return true;
      }
    }
    return false;
  }

  private void fitChunks() {
    long root = index.rootAddress();
    for (long[] scaled : chunks.listing().coordinates(this::mustChange)) {
      if (shape.isOutside(scaled, newExtent)) {
        chunks.remove(scaled);
      } else if (shape.isCut(scaled, oldExtent, newExtent)) {
        chunks.whole().clearOutside(scaled, oldExtent, newExtent);
      } else {
        chunks.whole().restore(scaled, oldExtent, newExtent);
      }
    }
    if (index.rootAddress() != root) {
      chunks.layoutChanged(); // a single chunk's index went with it
    }
  }

  private boolean mustChange(long[] scaled) {
    return shape.isOutside(scaled, newExtent)
        || shape.isCut(scaled, oldExtent, newExtent)
        || shape.isFiltered(scaled, oldExtent) != shape.isFiltered(scaled, newExtent);
  }

  /** Fills the chunks that the extent gains and that were allocated with the index. */
  private void fillGained() {
    if (Arrays.stream(newExtent).anyMatch(dim -> dim == 0)) {
      return;
    }
    long[] scaled = new long[newExtent.length];
    do {
      if (shape.isOutside(scaled, oldExtent)) {
        chunks.whole().fill(scaled);
      }
    } while (shape.advance(scaled, newExtent));
  }
}
