package org.hyperslab.plugins.forwarding.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.forwarding.region.StripePartition;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * An open dataset of a file whose raw data may go to several servers. Until it is known where its
 * regions are, transfers wait here.
 *
 * <p>Thread rule: any thread.
 */
final class StripedDataset {

  /** In the order of submission. */
  final OrderedGate way = new OrderedGate();

  /** How it is divided; empty if all of it is at home. Complete before anything passes. */
  final CompletableFuture<Optional<Division>> division;

  /** Transfers that went to several servers and have not ended. */
  final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

  /** Whether elements of other datasets may be seen through it. */
  final boolean mayBeVirtual;

  StripedDataset(CompletableFuture<Optional<Division>> division, boolean mayBeVirtual) {
    this.division = division;
    this.mayBeVirtual = mayBeVirtual;
    way.go(() -> division);
  }

  Optional<Division> known() {
    return division.exceptionally(failure -> Optional.empty()).join();
  }

  /**
   * What each server has of a dataset.
   *
   * @param info what its home says of it
   * @param partition which elements are whose
   * @param handles its handle at each server, by the server's index
   */
  record Division(DatasetInfo info, StripePartition partition, List<Handle> handles) {

    /** Whether elements of other datasets are seen through it. */
    boolean isVirtual() {
      return info.options().layout() instanceof Layout.Virtual;
    }

    boolean isSpread() {
      return partition.isSpread();
    }

    /**
     * The parts of a transfer, by the index of the server, null where it has none; empty if only
     * the home can do it, for it converts, or the order of points would be lost.
     */
    List<DatasetOperation<Void>> parts(DatasetOperation<Void> operation) {
      Transfer transfer = transfer(operation);
      if (!transfer.memoryType().equals(info.type())) {
        return List.of();
      }
      long[] dims = info.space().dims();
      Selection selection = transfer.fileSelection();
      Selection.Bounds box = selection.bounds(dims);
      int cut = partition.dimension();
      int only = partition.only(box.low(cut), box.high(cut));
      if (only < 0 && selection instanceof PointSelection) {
        return List.of();
      }
      List<DatasetOperation<Void>> parts = new ArrayList<>();
      for (int server = 0; server < handles.size(); server++) {
        boolean whole = server == only;
        Transfer part = whole ? transfer : only >= 0 ? null : part(transfer, dims, server);
        parts.add(part == null ? null : on(operation, handles.get(server), part));
      }
      return parts;
    }

    private Transfer part(Transfer transfer, long[] dims, int server) {
      Selection regions = partition.of(server);
      Selection inFile = transfer.fileSelection().clip(dims).and(regions);
      if (inFile.elementCount(dims) == 0) {
        return null;
      }
      long[] memory = transfer.memorySpace().dims();
      return new Transfer(
          transfer.memoryType(),
          transfer.memorySpace(),
          transfer
              .fileSelection()
              .clip(dims)
              .projectIntersection(dims, transfer.memorySelection(), memory, regions),
          inFile,
          transfer.options());
    }

    static Transfer transfer(DatasetOperation<Void> operation) {
      return operation instanceof DatasetOperation.Write write
          ? write.transfer()
          : ((DatasetOperation.Read) operation).transfer();
    }

    private static DatasetOperation<Void> on(
        DatasetOperation<Void> operation, Handle handle, Transfer part) {
      return operation instanceof DatasetOperation.Write write
          ? new DatasetOperation.Write(handle, part, write.source())
          : new DatasetOperation.Read(handle, part, ((DatasetOperation.Read) operation).target());
    }
  }
}
