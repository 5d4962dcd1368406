package org.hyperslab.plugins.mpiio.transfer;

import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.nativevol.transfer.ConvertingMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * The checked plan of one rank's transfer: the elements, their conversion, and the causes that
 * prevent a collective transfer.
 *
 * @param transfer the requested transfer
 * @param buffer the memory
 * @param elements the number of elements
 * @param selections both selections; null if there are no elements or {@code failure} is not null
 * @param mover converts elements; null if {@code selections} is, or if elements have out-of-line
 *     parts
 * @param causes the causes that prevent a collective transfer
 * @param failure the failure of the check; null if there is none
 */
public record TransferPlan(
    Transfer transfer,
    DataBuffer buffer,
    long elements,
    ElementTransfer selections,
    ElementMover mover,
    Set<NoCollectiveCause> causes,
    HyperslabException failure) {

  /** The causes for which rank 0 moves the elements of all. */
  private static final Set<NoCollectiveCause> ROOT_CAUSES =
      EnumSet.of(
          NoCollectiveCause.OUT_OF_LINE_ELEMENTS,
          NoCollectiveCause.PARTIAL_ELEMENTS,
          NoCollectiveCause.COMPACT_LAYOUT,
          NoCollectiveCause.EXTERNAL_LAYOUT,
          NoCollectiveCause.VIRTUAL_LAYOUT,
          NoCollectiveCause.OTHER_FILE);

  /** Plans a read. */
  public static TransferPlan reading(DatasetView view, Transfer transfer, DataBuffer target) {
    return of(view, transfer, target, false);
  }

  /** Plans a write. */
  public static TransferPlan writing(DatasetView view, Transfer transfer, DataBuffer source) {
    return of(view, transfer, source, true);
  }

  private static TransferPlan of(
      DatasetView view, Transfer transfer, DataBuffer buffer, boolean write) {
    Set<NoCollectiveCause> causes = view.obstacles();
    try {
      long elements = transfer.requireFits(view.space(), buffer);
      Converter converter =
          write
              ? Converter.between(transfer.memoryType(), view.type())
              : Converter.between(view.type(), transfer.memoryType());
      if (converter.hasOutOfLineParts()) {
        causes.add(NoCollectiveCause.OUT_OF_LINE_ELEMENTS);
        return new TransferPlan(transfer, buffer, elements, null, null, causes, null);
      }
      ElementMover mover = ConvertingMover.of(converter, VlenHeap.none(), VlenHeap.none());
      if (write && mover.needsBackground()) {
        causes.add(NoCollectiveCause.PARTIAL_ELEMENTS);
      }
      if (elements == 0) {
        return new TransferPlan(transfer, buffer, 0, null, mover, causes, null);
      }
      ElementTransfer selections =
          new ElementTransfer(
              transfer.fileSelection(),
              view.extent(),
              transfer.memorySelection(),
              transfer.memorySpace().dims(),
              buffer.elements());
      if (transfer.fileSelection() instanceof PointSelection && !view.isFiltered()) {
        causes.add(NoCollectiveCause.POINTS);
      }
      return new TransferPlan(transfer, buffer, elements, selections, mover, causes, null);
    } catch (RuntimeException | Error wrong) {
      HyperslabException failure = SharedFailure.typed(wrong, "transfer");
      return new TransferPlan(transfer, buffer, 0, null, null, causes, failure);
    }
  }

  /** Returns whether the causes require that rank 0 moves the elements of all ranks. */
  public static boolean goesThroughRoot(Set<NoCollectiveCause> causes) {
    return causes.stream().anyMatch(ROOT_CAUSES::contains);
  }

  /** Returns whether this rank moves its elements by itself. */
  public boolean hasPoints() {
    return causes.contains(NoCollectiveCause.POINTS);
  }

  /**
   * Returns the pieces in the order of the file; none for a list of points, which has its own
   * order.
   */
  public TransferPieces pieces(DatasetView view) {
    if (selections == null || hasPoints()) {
      return TransferPieces.none();
    }
    return allPieces(view);
  }

  /** Returns the pieces, with points in the order of their list. */
  public TransferPieces allPieces(DatasetView view) {
    if (selections == null) {
      return TransferPieces.none();
    }
    if (view.isChunked()) {
      return TransferPieces.chunked(view, selections);
    }
    return view.contiguousOffset() < 0
        ? TransferPieces.none()
        : TransferPieces.contiguous(view.contiguousOffset(), selections);
  }
}
