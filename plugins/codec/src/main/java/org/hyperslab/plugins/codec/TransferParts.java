package org.hyperslab.plugins.codec;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Divides a transfer into parts, each of which moves a range of its elements in the order of
 * transfer, so that the bytes of a message are bounded.
 *
 * <p>Thread rule: stateless.
 */
public final class TransferParts {

  private TransferParts() {}

  /**
   * {@return the parts of a transfer; executing them in order executes the transfer}
   *
   * @param transfer the elements selected in the file and in memory
   * @param extent the dataset's extent; empty for a scalar
   * @param mostBytes the greatest number of bytes of a part's elements in memory; a part has at
   *     least one element
   */
  public static List<Transfer> of(Transfer transfer, long[] extent, long mostBytes) {
    long[] memory = transfer.memorySpace().dims();
    long count = transfer.memorySelection().elementCount(memory);
    long step = Math.max(1, mostBytes / transfer.memoryType().size());
    if (count <= step) {
      return List.of(transfer);
    }
    Selection fileSelection = transfer.fileSelection().clip(extent);
    List<Transfer> parts = new ArrayList<>();
    for (long at = 0; at < count; at += step) {
      Selection range = Selection.box(new long[] {at}, new long[] {Math.min(step, count - at)});
      parts.add(
          new Transfer(
              transfer.memoryType(),
              transfer.memorySpace(),
              part(transfer.memorySelection(), memory, range, count),
              part(fileSelection, extent, range, count),
              transfer.options()));
    }
    return parts;
  }

  /**
   * Copies the elements that a transfer selects in memory, so that the heap of the copy has the
   * out-of-line values of these elements only.
   *
   * @param transfer the transfer
   * @param source the memory, whose heap may also have the values of other elements
   * @return the elements in the order of transfer
   * @throws org.hyperslab.error.InvalidUseException if the memory is too small for the transfer
   */
  public static DataBuffer copyWithOwnHeap(Transfer transfer, DataBuffer source) {
    return new MemorySide(transfer, source).copyWithOwnHeap();
  }

  private static Selection part(Selection of, long[] extent, Selection range, long count) {
    return Selection.all().projectIntersection(new long[] {count}, of, extent, range);
  }
}
