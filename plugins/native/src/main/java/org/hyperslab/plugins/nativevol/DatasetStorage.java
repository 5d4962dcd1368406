package org.hyperslab.plugins.nativevol;

import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.file.MovableExtent;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Stores a dataset's elements and moves them. One alternative for each layout. A storage is made
 * from a {@link DatasetDescription} and thrown away when the header changes; what must outlive
 * that, such as a chunk cache, belongs to the {@link NativeDataset}.
 *
 * <p>Thread rule: {@link #read}, and {@link #write} where {@link #writesUnderReadLock} says so, run
 * under the file's read lock, in several threads at once; everything else under its write lock.
 */
sealed interface DatasetStorage
    permits CompactStorage, ContiguousStorage, ChunkedStorage, ExternalStorage, VirtualStorage {

  /** Moves the selected elements to {@code target}, converting them. */
  void read(Transfer transfer, DataBuffer target);

  /** Moves the selected elements from {@code source}, converting them. */
  void write(Transfer transfer, DataBuffer source);

  /**
   * Returns whether a write changes no metadata, so that it may run beside reads and other writes.
   */
  boolean writesUnderReadLock(Transfer transfer);

  /** Allocates storage and fills it as the fill value asks, if that has not been done. */
  void allocate();

  /**
   * Follows a change of the extent; the dataspace message is the caller's.
   *
   * @param newSpace the extent that comes, of the same rank, within the maximum
   * @return the work to do once the dataspace message is changed
   */
  Runnable setExtent(Dataspace newSpace);

  /** Returns the raw data that may be moved within the file. */
  default List<MovableExtent> movable() {
    return List.of();
  }

  /** Gives back all space that holds elements or finds them; the header is the caller's. */
  void delete();

  /**
   * Returns the place of the elements in the form that users see.
   *
   * @param counted whether chunks are counted, which takes their whole index
   */
  DatasetInfo.StorageInfo info(boolean counted);

  /** Returns the layout as a user would state it. */
  default Layout layout(Layout stated) {
    return stated;
  }
}
