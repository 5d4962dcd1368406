package org.hyperslab.plugins.nativevol.storage;

import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.plugins.nativevol.transfer.ContiguousTransfer;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** Stores elements in row-major order in a single array of bytes, wherever that is. */
abstract class FlatStorage implements DatasetStorage {

  private final DatasetHeader header;
  private final DatasetDescription description;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   */
  protected FlatStorage(DatasetHeader header, DatasetDescription description) {
    this.header = header;
    this.description = description;
  }

  /** {@return the dataset's header} */
  protected final DatasetHeader header() {
    return header;
  }

  /** {@return the content of the header} */
  protected final DatasetDescription description() {
    return description;
  }

  /** {@return the bytes of the elements} */
  protected abstract RawBytes bytes();

  /** {@return whether the bytes exist; otherwise all read as the fill value} */
  protected boolean isStored() {
    return true;
  }

  @Override
  public final void read(Transfer transfer, DataBuffer target) {
    ElementTransfer elements = ElementMovers.elements(description, transfer, target);
    engine()
        .read(
            bytes(),
            isStored() ? elements : alike(elements, transfer),
            ElementMovers.reading(description, transfer, header.context().heap(), target));
  }

  /**
   * Returns as many elements from the first on: all are equal, so that their offsets do not matter,
   * which may exceed the range of a long.
   */
  private static ElementTransfer alike(ElementTransfer elements, Transfer transfer) {
    return new ElementTransfer(
        Selection.all(),
        new long[] {elements.elements()},
        transfer.memorySelection(),
        transfer.memorySpace().dims(),
        elements.memory());
  }

  /**
   * Writes elements over others, whose heap objects are freed.
   *
   * @param transfer the elements selected in the file and in memory
   * @param source the elements in memory
   */
  protected final void overwrite(Transfer transfer, DataBuffer source) {
    write(
        bytes(),
        ElementMovers.elements(description, transfer, source),
        ElementMovers.overwriting(description, transfer, header.context().heap(), source));
  }

  /**
   * Writes elements to space that held none, so that there are no heap objects to free.
   *
   * @param bytes the space
   * @param transfer the elements selected in the file and in memory
   * @param source the elements in memory
   */
  protected final void writeFirst(RawBytes bytes, Transfer transfer, DataBuffer source) {
    write(
        bytes,
        ElementMovers.elements(description, transfer, source),
        ElementMovers.writing(description, transfer, header.context().heap(), source));
  }

  /**
   * Writes elements to space that is allocated. If the bytes between the elements may be read and
   * written back, no other write to the dataset runs at the same time.
   */
  private void write(RawBytes bytes, ElementTransfer elements, ElementMover mover) {
    long stamp = header.beginWrite(mover.needsBackground() || !isOneRun(elements));
    try {
      engine().write(bytes, elements, mover);
    } finally {
      header.endWrite(stamp);
    }
  }

  private ContiguousTransfer engine() {
    return new ContiguousTransfer(header.context().resources());
  }

  private static boolean isOneRun(ElementTransfer elements) {
    if (elements.isWhole()) {
      return true;
    }
    RunCursor runs = elements.fileSelection().runs(elements.fileExtent());
    return !runs.next() || runs.length() == elements.elements();
  }
}
