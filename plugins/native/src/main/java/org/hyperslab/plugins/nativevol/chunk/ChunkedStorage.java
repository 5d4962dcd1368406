package org.hyperslab.plugins.nativevol.chunk;

import java.util.List;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.storage.DatasetStorage;
import org.hyperslab.plugins.nativevol.storage.ElementMovers;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Stores elements in chunks of equal shape, each allocated when it is first written unless
 * allocation is early.
 */
public final class ChunkedStorage implements DatasetStorage {

  private final DatasetHeader header;
  private final DatasetDescription description;
  private final DatasetChunks chunks;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   * @param chunks the dataset's chunks
   */
  public ChunkedStorage(
      DatasetHeader header, DatasetDescription description, DatasetChunks chunks) {
    this.header = header;
    this.description = description;
    this.chunks = chunks;
  }

  @Override
  public void read(Transfer transfer, DataBuffer target) {
    chunks
        .transfers()
        .read(
            ElementMovers.elements(description, transfer, target),
            ElementMovers.reading(description, transfer, header.context().heap(), target));
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    chunks
        .transfers()
        .write(
            ElementMovers.elements(description, transfer, source),
            ElementMovers.overwriting(description, transfer, header.context().heap(), source));
  }

  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return false;
  }

  @Override
  public void allocate() {
    chunks.allocateAll();
  }

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    boolean early = description.fill().allocation() == FillValueMessage.Allocation.EARLY;
    return chunks.setExtent(newSpace.dims(), early);
  }

  @Override
  public List<MovableExtent> movable() {
    return chunks.movable();
  }

  @Override
  public void delete() {
    chunks.delete();
  }

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    if (!counted) {
      return new DatasetInfo.StorageInfo(-1, -1, name(), -1, -1);
    }
    ChunkListing.Total stored = chunks.listing().total();
    return new DatasetInfo.StorageInfo(
        stored.bytes(), -1, name(), stored.count(), chunks.index().metadataBytes());
  }

  private String name() {
    return switch (chunks.kind()) {
      case BTREE_V1 -> "version 1 B-tree";
      case SINGLE -> "single chunk";
      case IMPLICIT -> "implicit";
      case FIXED_ARRAY -> "fixed array";
      case EXTENSIBLE_ARRAY -> "extensible array";
      case BTREE_V2 -> "version 2 B-tree";
    };
  }
}
