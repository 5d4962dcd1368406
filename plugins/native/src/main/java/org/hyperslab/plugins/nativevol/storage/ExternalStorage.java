package org.hyperslab.plugins.nativevol.storage;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** Stores elements in other files, without structure, one after another. */
public final class ExternalStorage extends FlatStorage {

  private final ExternalSegments segments;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   * @param segments the external files
   */
  public ExternalStorage(
      DatasetHeader header, DatasetDescription description, ExternalSegments segments) {
    super(header, description);
    this.segments = segments;
  }

  @Override
  protected RawBytes bytes() {
    return segments;
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    // Flushes do not track which space of an external file is durable, so it is written in
    // place.
    writeFirst(segments.forWriting(), transfer, source);
  }

  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return !description().type().hasOutOfLineParts();
  }

  @Override
  public void allocate() {}

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    long bytes = Math.multiplyExact(newSpace.elementCount(), (long) description().type().size());
    if (bytes > segments.capacity()) {
      throw new InvalidUseException(
          "extent: actual="
              + newSpace
              + " of "
              + bytes
              + " bytes, expected=at most the "
              + segments.capacity()
              + " bytes of the external files");
    }
    return () -> {};
  }

  /** Frees the heap of file names; the external files themselves stay. */
  @Override
  public void delete() {
    LocalHeap.open(header().context().space(), description().external().orElseThrow().heapAddress())
        .delete();
  }

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    return new DatasetInfo.StorageInfo(description().totalBytes(), -1, "", 0, 0);
  }

  @Override
  public Layout layout(Layout stated) {
    return new Layout.External(segments.described());
  }
}
