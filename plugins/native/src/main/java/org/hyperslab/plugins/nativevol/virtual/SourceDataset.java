package org.hyperslab.plugins.nativevol.virtual;

import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * A dataset that holds elements of a virtual dataset.
 *
 * <p>Thread rule: any thread; each method takes the lock of the dataset's file.
 */
public interface SourceDataset {

  /**
   * {@return the present extent, in elements; that of a virtual dataset which no program has asked
   * for follows its sources}
   */
  long[] currentExtent();

  /**
   * Reads elements of the source.
   *
   * @param transfer the elements selected in the file and in memory
   * @param target the memory to read into
   */
  void read(Transfer transfer, DataBuffer target);

  /**
   * Writes elements of the source.
   *
   * @param transfer the elements selected in the file and in memory
   * @param source the memory to write from
   */
  void write(Transfer transfer, DataBuffer source);
}
