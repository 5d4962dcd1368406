package org.hyperslab.plugins.nativevol;

import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.plugins.nativevol.transfer.ContiguousTransfer;
import org.hyperslab.plugins.nativevol.transfer.ConvertingMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Moves elements between memory and storage that is a single array of bytes.
 *
 * <p>Thread rule: as {@link DatasetStorage}.
 */
final class FlatTransfers {

  private FlatTransfers() {}

  /** Describes the elements to move for the transfer engine. */
  static ElementTransfer elements(
      DatasetDescription dataset, Transfer transfer, DataBuffer buffer) {
    return new ElementTransfer(
        transfer.fileSelection(),
        dataset.space().dims(),
        transfer.memorySelection(),
        transfer.memorySpace().dims(),
        buffer.elements());
  }

  /** Returns a mover of elements from file to memory. */
  static ElementMover reading(
      DatasetDescription dataset, Transfer transfer, VlenAccess fileHeap, DataBuffer buffer) {
    Converter converter = Converter.between(dataset.type(), transfer.memoryType());
    return ConvertingMover.of(converter, fileHeap, buffer.heap());
  }

  /** Returns a mover of elements from memory to space in the file that held no elements. */
  static ElementMover writing(
      DatasetDescription dataset, Transfer transfer, VlenAccess fileHeap, DataBuffer buffer) {
    Converter converter = Converter.between(transfer.memoryType(), dataset.type());
    return ConvertingMover.of(converter, buffer.heap(), fileHeap);
  }

  /**
   * Returns a mover of elements from memory over those in the file, whose heap objects it frees.
   */
  static ElementMover overwriting(
      DatasetDescription dataset, Transfer transfer, HeapAccess fileHeap, DataBuffer buffer) {
    ElementMover mover = writing(dataset, transfer, fileHeap, buffer);
    return dataset.ownsHeapObjects() ? new OverwritingMover(mover, fileHeap, dataset) : mover;
  }

  /** Reads elements. */
  static void read(NativeDataset dataset, RawBytes bytes, Transfer transfer, DataBuffer target) {
    DatasetDescription description = dataset.description();
    ElementMover mover = reading(description, transfer, dataset.heap(), target);
    new ContiguousTransfer(dataset.context().resources())
        .read(bytes, elements(description, transfer, target), mover);
  }

  /**
   * Reads elements that are not stored, so that all equal the fill value. Their offsets do not
   * matter, and may exceed the range of a long.
   */
  static void readAlike(
      NativeDataset dataset, RawBytes bytes, Transfer transfer, DataBuffer target) {
    DatasetDescription description = dataset.description();
    ElementMover mover = reading(description, transfer, dataset.heap(), target);
    long[] count = {elements(description, transfer, target).elements()};
    ElementTransfer alike =
        new ElementTransfer(
            Selection.all(),
            count,
            transfer.memorySelection(),
            transfer.memorySpace().dims(),
            target.elements());
    new ContiguousTransfer(dataset.context().resources()).read(bytes, alike, mover);
  }

  /**
   * Writes elements. If the bytes between the elements may be read and written back, no other write
   * to the dataset may run at the same time.
   */
  static void write(NativeDataset dataset, RawBytes bytes, Transfer transfer, DataBuffer source) {
    DatasetDescription description = dataset.description();
    write(
        dataset,
        bytes,
        transfer,
        source,
        overwriting(description, transfer, dataset.heap(), source));
  }

  /** Writes elements to space that held none, so that there are no heap objects to free. */
  static void writeFirst(
      NativeDataset dataset, RawBytes bytes, Transfer transfer, DataBuffer source) {
    DatasetDescription description = dataset.description();
    write(dataset, bytes, transfer, source, writing(description, transfer, dataset.heap(), source));
  }

  private static void write(
      NativeDataset dataset,
      RawBytes bytes,
      Transfer transfer,
      DataBuffer source,
      ElementMover mover) {
    DatasetDescription description = dataset.description();
    ElementTransfer elements = elements(description, transfer, source);
    boolean alone = mover.needsBackground() || !isOneRun(elements);
    dataset.whileWriting(
        alone,
        () -> new ContiguousTransfer(dataset.context().resources()).write(bytes, elements, mover));
  }

  private static boolean isOneRun(ElementTransfer elements) {
    if (elements.isWhole()) {
      return true;
    }
    RunCursor runs = elements.fileSelection().runs(elements.fileExtent());
    return !runs.next() || runs.length() == elements.elements();
  }
}
