package org.hyperslab.plugins.mpiio.dataset;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.ComparedCall;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.plugins.mpiio.transfer.PlacedPiece;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.StagedBytes;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;
import org.hyperslab.plugins.mpiio.transfer.WindowedAccess;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Multi;
import org.hyperslab.vol.MultiTransfers;

/**
 * Transfers several datasets by all ranks. If every rank knows the places of all elements, it
 * collects its own elements of all datasets in one window, in the order of the file, and all ranks
 * access the file once, or more often if the elements of a rank exceed the window.
 *
 * <p>Long runs and short ones are transferred separately: long runs are as fast independently, and
 * together with short ones they would all be gathered by aggregators. Where requests are cheap and
 * short runs few, each rank writes its short runs independently, so that the ranks meet once.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
final class MultiDatasetAccess {

  /** Requests that take less in total are not worth bringing together. */
  private static final long QUICK_NANOS = 100_000;

  private final Agreement agreement;
  private final Multi operation;
  private final RawFile file;
  private final List<ParallelDataset> datasets;
  private final List<TransferPlan> plans = new ArrayList<>();
  private final List<PlacedPiece> longPieces = new ArrayList<>();
  private final List<PlacedPiece> shortPieces = new ArrayList<>();
  private final StagedBytes staged = new StagedBytes();
  private HyperslabException failure;
  private boolean together;

  /**
   * Creates the access for the transfers of this rank.
   *
   * @param agreement keeps the ranks in step
   * @param operation the transfers of this rank
   * @param datasets the datasets of its parts
   */
  MultiDatasetAccess(Agreement agreement, Multi operation, List<ParallelDataset> datasets) {
    this.agreement = agreement;
    this.operation = operation;
    this.datasets = List.copyOf(datasets);
    this.file = datasets.getFirst().file();
    this.together = file != null && new HashSet<>(datasets).size() == datasets.size();
    for (int i = 0; i < datasets.size(); i++) {
      plan(i);
    }
    together &= PlacedPiece.areApart(longPieces, shortPieces);
  }

  private void plan(int part) {
    ParallelDataset dataset = datasets.get(part);
    DatasetOperation<Void> one = operation.parts().get(part);
    TransferPlan plan =
        dataset.plan(operation.edits(), MultiTransfers.transfer(one), MultiTransfers.buffer(one));
    plans.add(plan);
    if (plan.failure() != null) {
      failure =
          failure == null
              ? (HyperslabException) MultiTransfers.failed(operation, part, plan.failure())
              : failure;
      return;
    }
    together &= dataset.file() == file && dataset.isDirect(plan);
    if (together && plan.elements() > 0) {
      List<PlacedPiece> pieces = PlacedPiece.of(plan, dataset.view());
      boolean isLong = pieces.getFirst().firstRunBytes() >= file.saturationBytes();
      (isLong ? longPieces : shortPieces).addAll(pieces);
    }
  }

  /**
   * Returns whether this rank writes its short runs by itself in less time than it takes all ranks
   * to meet. The access to the long runs then informs the others if that has failed.
   */
  private boolean shortAreQuickAlone() {
    if (!operation.edits() || file == null || file.requestNanos() > QUICK_NANOS) {
      return false;
    }
    long most = QUICK_NANOS / Math.max(1, file.requestNanos());
    return PlacedPiece.runs(shortPieces, most) <= most;
  }

  /**
   * Makes the ranks agree that all parts are valid, and executes them together if that is possible.
   * Collective.
   *
   * @param call the call, as ranks compare it
   * @return the report of the transfer; empty, on all ranks, if nothing was moved and the parts
   *     must be executed one by one
   * @throws HyperslabException on all ranks if a part is invalid on any; nothing was moved then
   */
  Optional<TransferReport> carryOut(ComparedCall call) {
    WindowedAccess longRuns = new WindowedAccess(file, longPieces, staged);
    WindowedAccess shortRuns = new WindowedAccess(file, shortPieces, staged);
    long[] least =
        agreement.require(
            call,
            failure,
            together ? 1 : 0,
            -longRuns.windows(),
            -shortRuns.windows(),
            shortAreQuickAlone() ? 1 : 0);
    if (least[0] == 0) {
      return Optional.empty();
    }
    boolean apart = least[1] < 0 && least[2] < 0 && least[3] == 1;
    HyperslabException failed = apart ? shortRuns.writeAlone() : null;
    if (failed != null) {
      file.failTogether(failed);
    }
    longRuns.carryOut(operation.edits(), -least[1]);
    if (!apart) {
      shortRuns.carryOut(operation.edits(), -least[2]);
    }
    long elements = plans.stream().mapToLong(TransferPlan::elements).sum();
    String how = operation.parts().size() + " datasets together: " + file.explain();
    return Optional.of(new TransferReport(true, Set.of(), Set.of(), elements, staged.peak(), how));
  }
}
