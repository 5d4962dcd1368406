package org.hyperslab.plugins.compacting;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * Carries out merged requests through a connector. Pieces are gathered into one buffer, for the
 * operations of the virtual object layer take one; pieces that lie one behind the other in memory
 * are passed on as they are.
 *
 * <p>Thread rule: any thread.
 */
public final class VolStorage implements StorageLayer {

  /** Finds handles. */
  @FunctionalInterface
  public interface Handles {
    /**
     * An open handle of a dataset.
     *
     * @param writes whether it must allow writing
     */
    Handle of(DataKey key, boolean writes);
  }

  private final Connector below;
  private final Handles handles;
  private final BufferPool buffers;

  /**
   * A layer over a connector.
   *
   * @param idleBytes how much memory in which pieces are gathered is kept while it is not in use;
   *     at best that of as many of the largest merged requests as are under way at once
   */
  public VolStorage(Connector below, Handles handles, long idleBytes) {
    this.below = below;
    this.handles = handles;
    this.buffers = new BufferPool(idleBytes);
  }

  @Override
  public CompletionStage<?> write(MergedWrite write) {
    Handle handle = handles.of(write.key(), true);
    Transfer transfer = transfer(write.region(), write.kind());
    Optional<MemorySegment> inPlace = write.inPlace();
    if (inPlace.isPresent()) {
      DataBuffer source = DataBuffer.of(inPlace.get());
      return below.submit(new DatasetOperation.Write(handle, transfer, source));
    }
    return buffered(
        write.bytes(),
        staging -> {
          write.gather(staging);
          return below.submit(new DatasetOperation.Write(handle, transfer, DataBuffer.of(staging)));
        });
  }

  @Override
  public CompletionStage<?> read(MergedRead read) {
    Handle handle = handles.of(read.key(), false);
    Transfer transfer = transfer(read.region(), read.kind());
    if (read.isContiguous()) {
      DataBuffer target = DataBuffer.of(read.targets().getFirst().piece().bytes());
      return below.submit(new DatasetOperation.Read(handle, transfer, target));
    }
    return buffered(
        read.bytes(),
        staging ->
            below
                .submit(new DatasetOperation.Read(handle, transfer, DataBuffer.of(staging)))
                .thenAccept(done -> read.scatter(staging)));
  }

  private CompletionStage<?> buffered(
      long bytes, Function<MemorySegment, CompletionStage<?>> action) {
    BufferPool.Buffer buffer = buffers.take(bytes);
    boolean submitted = false;
    try {
      CompletionStage<?> stage = action.apply(buffer.bytes());
      submitted = true;
      return stage.whenComplete((done, failure) -> buffers.give(buffer));
    } finally {
      if (!submitted) {
        buffers.give(buffer);
      }
    }
  }

  private static Transfer transfer(Region region, ElementKind kind) {
    Dataspace memory =
        region.rank() == 0 ? Dataspace.scalar() : Dataspace.simple(region.elements());
    return new Transfer(
        kind.type(), memory, Selection.all(), region.selection(), TransferOptions.DEFAULT);
  }
}
