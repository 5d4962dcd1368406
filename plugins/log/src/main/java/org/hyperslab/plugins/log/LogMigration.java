package org.hyperslab.plugins.log;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.compacting.plan.BatchPlanner;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.MergeOptions;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.storage.MergedTransfers;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Writes elements from the log to the part: a batch at a time, planned by the compactor, so that
 * small writes become few large ones in the order of the file, and elements that later ones replace
 * are not written.
 *
 * <p>Thread rule: any thread; the caller keeps the order of the batches of a dataset.
 */
final class LogMigration implements AutoCloseable {

  /** The elements of a batch, in bytes, unless a single write has more. */
  static final long BATCH_BYTES = 32L << 20;

  private static final long MOST_ROWS_BYTES = 4 * BATCH_BYTES;

  private static final MergeOptions MERGING = new MergeOptions(true, 4L << 20, 16L << 20);

  private final Connector below;
  private final BufferPool buffers = new BufferPool(2 * BATCH_BYTES);
  private final Map<DataKey, Handle> open = new ConcurrentHashMap<>();
  private final MergedTransfers storage;
  private final BatchPlanner planner = new BatchPlanner(MERGING);

  /** Reads the payload of a record. */
  @FunctionalInterface
  interface Source {
    void read(LogRecord.Place place, MemorySegment into);
  }

  /**
   * A dataset that is written.
   *
   * @param key its number
   * @param kind the type of its elements
   * @param isAllocated whether its elements have one place, so that writing some takes no space for
   *     others
   */
  record Target(DataKey key, ElementKind kind, boolean isAllocated) {

    static Target of(DataKey key, DatasetInfo info) {
      ElementKind kind = new ElementKind(info.type().inMemory(), true);
      return new Target(key, kind, !(info.options().layout() instanceof Layout.Chunked));
    }
  }

  LogMigration(Connector below) {
    this.below = below;
    this.storage =
        new MergedTransfers(below, (key, writes) -> open.get(key), 2 * MERGING.maxMergedBytes());
  }

  /**
   * Writes a batch.
   *
   * @param file a handle of the part
   * @param target the dataset
   * @param batch the writes, oldest first
   * @param log reads them
   */
  void write(Handle file, Target target, List<LoggedWrite> batch, Source log) {
    Handle dataset = Handle.fresh();
    done(
        below,
        new ObjectOperation.OpenToken(dataset, file, new ObjectToken(target.key().dataset())));
    try {
      writeTo(dataset, target, batch, log);
    } finally {
      done(below, new ObjectOperation.Close(dataset));
    }
  }

  /**
   * Writes a batch to a dataset that is open.
   *
   * @param dataset the handle of the dataset, which stays open meanwhile
   * @param target the dataset
   * @param batch the writes, oldest first
   * @param log reads them
   */
  void writeTo(Handle dataset, Target target, List<LoggedWrite> batch, Source log) {
    DataKey key = target.key();
    ElementKind kind = target.kind();
    open.put(key, dataset);
    long bytes = batch.stream().mapToLong(each -> each.place().payloadBytes()).sum();
    try (Lease lease = buffers.take(Math.max(1, bytes))) {
      List<WriteRequest> requests = new ArrayList<>(batch.size());
      long at = 0;
      for (LoggedWrite write : batch) {
        MemorySegment elements = lease.segment().asSlice(at, write.place().payloadBytes());
        log.read(write.place(), elements);
        RequestOrigin origin = new RequestOrigin(0, requests.size());
        requests.add(new WriteRequest(key, origin, write.region(), kind, elements));
        at += elements.byteSize();
      }
      Optional<DenseBatch> dense =
          target.isAllocated() ? DenseBatch.of(requests, kind, MOST_ROWS_BYTES) : Optional.empty();
      if (dense.isPresent()) {
        writeRows(dataset, kind, dense.get());
      } else {
        carryOut(requests);
      }
    } finally {
      open.remove(key);
    }
  }

  private void writeRows(Handle dataset, ElementKind kind, DenseBatch batch) {
    DatasetOperation.Transfer rows = LogReads.packed(kind.type(), batch.rows());
    try (Lease lease = buffers.take(batch.rows().elements() * kind.bytes())) {
      DataBuffer memory = DataBuffer.of(lease.segment());
      done(below, new DatasetOperation.Read(dataset, rows, memory));
      batch.apply(lease.segment(), kind.bytes());
      done(below, new DatasetOperation.Write(dataset, rows, memory));
    }
  }

  private void carryOut(List<WriteRequest> requests) {
    List<WriteRequest> left = requests;
    while (!left.isEmpty()) {
      Plan plan = planner.plan(left);
      for (List<MergedWrite> wave : plan.waves()) {
        for (MergedWrite write : wave) {
          join(storage.write(write));
        }
      }
      left = left.subList(plan.traces().size(), left.size());
    }
  }

  /** Waits for a stage. */
  static <R> R join(CompletionStage<R> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw HyperslabException.of(Connectors.causeOf(e), "log");
    }
  }

  /** Carries an operation out, and waits. */
  static <R> R done(Connector below, Operation<R> operation) {
    return join(below.submit(operation));
  }

  @Override
  public void close() {
    storage.close();
    buffers.close();
  }
}
