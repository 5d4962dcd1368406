package org.hyperslab.plugins.nativevol.storage;

import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.plugins.nativevol.heap.HeapAccess;
import org.hyperslab.plugins.nativevol.transfer.ConvertingMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Translates a transfer of a dataset's elements into what the transfer engine executes: the
 * selected elements, and a mover that converts them.
 *
 * <p>Thread rule: stateless.
 */
public final class ElementMovers {

  private ElementMovers() {}

  /**
   * {@return the elements to move}
   *
   * @param dataset the dataset
   * @param transfer the elements selected in the file and in memory
   * @param buffer the elements in memory
   */
  public static ElementTransfer elements(
      DatasetDescription dataset, Transfer transfer, DataBuffer buffer) {
    return new ElementTransfer(
        transfer.fileSelection(),
        dataset.space().dims(),
        transfer.memorySelection(),
        transfer.memorySpace().dims(),
        buffer.elements());
  }

  /**
   * {@return a mover of elements from file to memory}
   *
   * @param dataset the dataset
   * @param transfer the elements selected in the file and in memory
   * @param fileHeap the heap of the file
   * @param buffer the elements in memory
   */
  public static ElementMover reading(
      DatasetDescription dataset, Transfer transfer, VlenAccess fileHeap, DataBuffer buffer) {
    Converter converter = Converter.between(dataset.type(), transfer.memoryType());
    return ConvertingMover.of(converter, fileHeap, buffer.heap());
  }

  /**
   * {@return a mover of elements from memory to space in the file that held no elements}
   *
   * @param dataset the dataset
   * @param transfer the elements selected in the file and in memory
   * @param fileHeap the heap of the file
   * @param buffer the elements in memory
   */
  public static ElementMover writing(
      DatasetDescription dataset, Transfer transfer, VlenAccess fileHeap, DataBuffer buffer) {
    Converter converter = Converter.between(transfer.memoryType(), dataset.type());
    return ConvertingMover.of(converter, buffer.heap(), fileHeap);
  }

  /**
   * {@return a mover of elements from memory over those in the file, whose heap objects it frees}
   *
   * @param dataset the dataset
   * @param transfer the elements selected in the file and in memory
   * @param fileHeap the heap of the file
   * @param buffer the elements in memory
   */
  public static ElementMover overwriting(
      DatasetDescription dataset, Transfer transfer, HeapAccess fileHeap, DataBuffer buffer) {
    ElementMover mover = writing(dataset, transfer, fileHeap, buffer);
    return dataset.ownsHeapObjects() ? new OverwritingMover(mover, fileHeap, dataset) : mover;
  }
}
