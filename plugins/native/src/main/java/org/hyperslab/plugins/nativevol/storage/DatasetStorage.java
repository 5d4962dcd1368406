package org.hyperslab.plugins.nativevol.storage;

import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Stores a dataset's elements and moves them. There is one implementation for each layout. A
 * storage is created from a {@link DatasetDescription} and discarded when the header changes; state
 * that must outlive such a change, like a chunk cache, belongs to the open dataset.
 *
 * <p>Thread rule: {@link #read}, and {@link #write} where {@link #writesUnderReadLock} returns
 * true, run under the file's read lock, in several threads at once; everything else under its write
 * lock.
 */
public interface DatasetStorage {

  /**
   * Reads the selected elements into {@code target}, converting them.
   *
   * @param transfer the elements selected in the file and in memory
   * @param target the memory to read into
   */
  void read(Transfer transfer, DataBuffer target);

  /**
   * Writes the selected elements from {@code source}, converting them.
   *
   * @param transfer the elements selected in the file and in memory
   * @param source the memory to write from
   */
  void write(Transfer transfer, DataBuffer source);

  /**
   * {@return whether a write changes no metadata, so that it may run beside reads and other writes}
   *
   * @param transfer the elements selected in the file and in memory
   */
  boolean writesUnderReadLock(Transfer transfer);

  /** Allocates storage and fills it as the fill time demands, if that has not been done. */
  void allocate();

  /**
   * Adapts the storage to a new extent; the caller changes the dataspace message.
   *
   * @param newSpace the new extent, of the same rank, within the maximum
   * @return the work to do once the dataspace message is changed
   */
  Runnable setExtent(Dataspace newSpace);

  /** {@return the raw data that may be moved within the file} */
  default List<MovableExtent> movable() {
    return List.of();
  }

  /** Frees all space of the elements and of their index; the caller frees the header. */
  void delete();

  /**
   * {@return the place of the elements as reported to users}
   *
   * @param counted whether to count the chunks, which requires reading their whole index
   */
  DatasetInfo.StorageInfo info(boolean counted);

  /**
   * {@return the layout as a user would state it}
   *
   * @param stated the layout as the header states it
   */
  default Layout layout(Layout stated) {
    return stated;
  }
}
