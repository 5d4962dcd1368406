package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** Stores elements in other files, without structure, one after another. */
final class ExternalStorage implements DatasetStorage {

  private final NativeDataset dataset;
  private final DatasetDescription description;
  private final ExternalSegments segments;

  ExternalStorage(
      NativeDataset dataset, DatasetDescription description, ExternalSegments segments) {
    this.dataset = dataset;
    this.description = description;
    this.segments = segments;
  }

  @Override
  public void read(Transfer transfer, DataBuffer target) {
    FlatTransfers.read(dataset, segments, transfer, target);
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    // Flushes do not track which space of an external file is durable, so it is written in
    // place.
    FlatTransfers.writeFirst(dataset, segments.forWriting(), transfer, source);
  }

  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return !description.type().hasOutOfLineParts();
  }

  @Override
  public void allocate() {}

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    long bytes = Math.multiplyExact(newSpace.elementCount(), (long) description.type().size());
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
    LocalHeap.open(dataset.context().space(), description.external().orElseThrow().heapAddress())
        .delete();
  }

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    return new DatasetInfo.StorageInfo(description.totalBytes(), -1, "", 0, 0);
  }

  @Override
  public Layout layout(Layout stated) {
    return new Layout.External(segments.described());
  }
}
