package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.transfer.ChunkPlaces;
import org.hyperslab.plugins.nativevol.transfer.ChunkedTransfer;

/**
 * Reads chunks by one rank, as the native engine does, with a cache of those that are filtered.
 *
 * <p>Thread rule: any thread.
 */
public final class RankChunkReader implements AutoCloseable {

  private final ChunkedTransfer transfers;

  public RankChunkReader(RawFile file, DatasetView view) {
    this.transfers =
        new ChunkedTransfer(
            new Places(file, view.chunks(), view.extent()),
            view.shape(),
            file.resources(),
            file.budget());
  }

  /** Reads the elements of a plan from their chunks; without effect if nothing is selected. */
  public void read(TransferPlan plan) {
    if (plan.selections() != null) {
      transfers.read(plan.selections(), plan.mover());
    }
  }

  /**
   * Lends the decoded bytes of a chunk.
   *
   * @param extent the extent of the dataset
   */
  public void lend(long[] scaled, long[] extent, Consumer<MemorySegment> user) {
    transfers.whole().lend(scaled, extent, user);
  }

  /** Removes a chunk with new content from the cache. */
  public void forget(long[] scaled) {
    transfers.forget(scaled);
  }

  @Override
  public void close() {
    transfers.close();
  }

  /** The places of a view; addresses are offsets in the store. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Places(RawFile raw, ChunkTable chunks, long[] extent) implements ChunkPlaces {
    @Override
    public String file() {
      return raw.name();
    }

    @Override
    public ChunkLocation find(long[] scaled) {
      ChunkPlace place = chunks.find(scaled);
      return place == null
          ? ChunkLocation.NONE
          : new ChunkLocation(place.offset(), place.storedBytes(), place.filterMask());
    }

    @Override
    public void put(long[] scaled, MemorySegment bytes, int filterMask, boolean mayOverwrite) {
      throw new IllegalStateException("places are found by rank 0");
    }

    @Override
    public void read(long address, MemorySegment target) {
      raw.store().read(address, target);
    }

    @Override
    public void write(long address, MemorySegment source) {
      throw new IllegalStateException("chunks are read only here");
    }
  }
}
