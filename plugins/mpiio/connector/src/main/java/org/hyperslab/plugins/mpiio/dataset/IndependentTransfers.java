package org.hyperslab.plugins.mpiio.dataset;

import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferLog;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/**
 * Transfers elements for one rank, while the others do something else.
 *
 * <p>Thread rule: any thread.
 */
public final class IndependentTransfers implements AutoCloseable {

  /** The property of an independent transfer that no other one overlaps. */
  private static final String ATOMIC = "atomic";

  private static final String READ = "read";
  private static final String WRITE = "write";

  private final OpenHandles handles;
  private final RankQueries queries;
  private final TransferLog log;
  private final LocalEngineReader reader = new LocalEngineReader();

  /**
   * Creates the transfers of a rank.
   *
   * @param handles what the rank has open
   * @param queries what it asks rank 0 by itself
   * @param log receives a report of each transfer
   */
  public IndependentTransfers(OpenHandles handles, RankQueries queries, TransferLog log) {
    this.handles = handles;
    this.queries = queries;
    this.log = log;
  }

  /** Carries out a read or a write, or several, of elements on this rank alone. */
  public void carryOut(Operation<?> operation) {
    switch (operation) {
      case DatasetOperation.Read read ->
          atomically(read.dataset(), read.transfer().options(), () -> readAlone(read));
      case DatasetOperation.Write write ->
          atomically(write.dataset(), write.transfer().options(), () -> writeAlone(write));
      case DatasetOperation.Multi multi -> {
        MultiDatasets.requireFits(multi, MultiDatasets.datasets(multi, handles));
        MultiDatasets.each(multi, this::carryOut);
      }
      default -> throw new IllegalArgumentException(operation.toString());
    }
  }

  /** Runs a transfer, and no other one of the file meanwhile, if its options demand it. */
  private void atomically(Handle dataset, TransferOptions options, Runnable transfer) {
    if (!Boolean.parseBoolean(options.properties().get(ATOMIC))) {
      transfer.run();
      return;
    }
    Opened opened = handles.requireDataset(dataset);
    if (!queries.arePossible()) {
      throw new InvalidUseException(
          "atomic transfer: actual=ranks that read metadata together, expected=connector option"
              + " metadata=independent, at="
              + opened.label());
    }
    queries.exclusively(opened.file().number(), transfer);
  }

  private void writeAlone(DatasetOperation.Write write) {
    ParallelDataset dataset = handles.requireWritable(write.dataset()).dataset();
    log.add(WRITE, dataset.writeAlone(write.transfer(), write.source()));
  }

  private void readAlone(DatasetOperation.Read read) {
    Opened opened = handles.requireDataset(read.dataset());
    ParallelDataset dataset = opened.dataset();
    if (dataset.readsAlone(read.transfer(), read.target())) {
      log.add(READ, dataset.readAlone(read.transfer(), read.target()));
      return;
    }
    if (queries.arePossible()) {
      queries.ask(read);
      log.add(READ, byRoot(read));
      return;
    }
    if (opened.file().isWritable() || opened.key().fileNumber() != opened.file().number()) {
      throw new InvalidUseException(
          "independent read: actual=elements that only rank 0 can read while the file may be "
              + "edited, expected=a collective transfer, at="
              + opened.label()
              + "; give the call TransferOptions.COLLECTIVE on all ranks, or open the file for"
              + " reading");
    }
    log.add(READ, reader.read(opened, read));
  }

  private static TransferReport byRoot(DatasetOperation.Read read) {
    return TransferReport.independent(
        Set.of(NoCollectiveCause.INDEPENDENT_CALL),
        read.transfer().fileSelection().elementCount(read.transfer().memorySpace().dims()),
        "by the engine of rank 0, for this rank alone");
  }

  /** Forgets a file that is closed. */
  public void forget(Handle file) {
    reader.forget(file);
  }

  @Override
  public void close() {
    reader.close();
  }
}
