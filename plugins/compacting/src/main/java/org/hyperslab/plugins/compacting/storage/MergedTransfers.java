package org.hyperslab.plugins.compacting.storage;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * Carries out merged requests through a connector. An operation of the virtual object layer takes a
 * single buffer, so pieces that are not adjacent in memory are copied into one.
 *
 * <p>Thread rule: any thread.
 */
public final class MergedTransfers implements AutoCloseable {

  /** Finds the handles of datasets. */
  @FunctionalInterface
  public interface Handles {
    /**
     * Finds an open handle.
     *
     * @param key the dataset
     * @param writes whether the handle must allow writing
     * @return the handle
     * @throws org.hyperslab.error.InvalidUseException if there is none
     */
    Handle of(DataKey key, boolean writes);
  }

  private final Connector below;
  private final Handles handles;
  private final BufferPool buffers;

  /**
   * Creates a layer over a connector.
   *
   * @param below the connector
   * @param handles finds handles
   * @param idleBytes the largest amount of unused memory, in bytes, to keep for copies of pieces;
   *     enough for the largest merged requests that may be under way at a time
   */
  public MergedTransfers(Connector below, Handles handles, long idleBytes) {
    this.below = below;
    this.handles = handles;
    this.buffers = new BufferPool(idleBytes);
  }

  /**
   * Starts a write of elements that may stem from several requests.
   *
   * @param write the elements
   * @return a stage that completes when the sources' buffers may be changed again
   */
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

  /**
   * Reads elements into the destinations in the request.
   *
   * @param read the elements and their destinations
   * @return a stage that completes when the destinations are filled
   */
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
    Lease lease = buffers.take(bytes);
    boolean submitted = false;
    try {
      CompletionStage<?> stage = action.apply(lease.segment());
      submitted = true;
      return stage.whenComplete((done, failure) -> lease.close());
    } finally {
      if (!submitted) {
        lease.close();
      }
    }
  }

  private static Transfer transfer(Region region, ElementKind kind) {
    Dataspace memory =
        region.rank() == 0 ? Dataspace.scalar() : Dataspace.simple(region.elements());
    return new Transfer(
        kind.type(), memory, Selection.all(), region.selection(), TransferOptions.DEFAULT);
  }

  /** Frees the memory for copies. */
  @Override
  public void close() {
    buffers.close();
  }
}
