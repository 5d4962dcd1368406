package org.hyperslab.plugins.mpiio;

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
 * One rank's transfer, checked: what moves, how elements are converted, and what stands in the way
 * of moving them together with the other ranks.
 *
 * @param transfer what was asked for
 * @param buffer the memory
 * @param elements how many elements move
 * @param selections both sides, null if nothing moves or {@code failure} is not null
 * @param mover converts; null as {@code selections}, or if elements have parts out of line
 * @param causes what stands in the way
 * @param failure what is wrong with the transfer; null if nothing
 */
record TransferPlan(
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

  /** Returns a read. */
  static TransferPlan reading(DatasetView view, Transfer transfer, DataBuffer target) {
    return of(view, transfer, target, false);
  }

  /** Returns a write. */
  static TransferPlan writing(DatasetView view, Transfer transfer, DataBuffer source) {
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
    } catch (RuntimeException wrong) {
      HyperslabException failure = SharedFailure.typed(wrong, "transfer");
      return new TransferPlan(transfer, buffer, 0, null, null, causes, failure);
    }
  }

  /** Returns whether causes are such that rank 0 moves the elements of all ranks. */
  static boolean goesThroughRoot(Set<NoCollectiveCause> causes) {
    return causes.stream().anyMatch(ROOT_CAUSES::contains);
  }

  /** Returns whether this rank moves its elements by itself. */
  boolean hasPoints() {
    return causes.contains(NoCollectiveCause.POINTS);
  }

  /** Returns the elements in the order of the file; nothing if they have an order of their own. */
  TransferPieces pieces(DatasetView view) {
    if (selections == null || hasPoints()) {
      return TransferPieces.none();
    }
    return allPieces(view);
  }

  /** Returns the elements, points in the order of their list. */
  TransferPieces allPieces(DatasetView view) {
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
