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
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * An open dataset of a file whose raw data may be divided among several servers. Transfers wait
 * until the division is known.
 *
 * <p>Thread rule: any thread.
 */
final class StripedDataset {

  /** Starts transfers in the order of submission. */
  final OrderedGate way = new OrderedGate();

  /**
   * The division; empty if the home holds all elements. Completes before the first transfer starts.
   */
  final CompletableFuture<Optional<Division>> division;

  /** The divided transfers that have not ended. */
  final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

  /** Whether the dataset may be virtual. */
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
   * The division of a dataset among servers.
   *
   * @param info the home's information on the dataset
   * @param partition the elements of each server
   * @param handles the handle of the dataset at each server, indexed by server
   */
  record Division(DatasetInfo info, StripePartition partition, List<Handle> handles) {

    /** {@return whether the dataset is virtual} */
    boolean isVirtual() {
      return info.options().layout() instanceof Layout.Virtual;
    }

    boolean isSpread() {
      return partition.isSpread();
    }

    /**
     * Divides a transfer.
     *
     * @param operation the transfer
     * @return the parts, indexed by server, null for a server without a part. Empty if only the
     *     home can carry it out, because it needs a conversion or the order of points would be lost
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
