package org.hyperslab.plugins.mpiio;

import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * A dataset in rank 0's engine; the other ranks have no engine.
 *
 * <p>Thread rule: any thread.
 */
interface RootDataset {

  /** {@return what the dataset is like now} */
  DatasetInfo describe();

  /** {@return its bytes, and how places for them come to be} */
  RawStorage storage();

  /**
   * Reads elements through the engine.
   *
   * @param transfer what this rank moves
   * @param target where the elements go
   */
  void read(Transfer transfer, DataBuffer target);

  /**
   * Writes elements through the engine.
   *
   * @param transfer what this rank moves
   * @param source the elements to write
   */
  void write(Transfer transfer, DataBuffer source);

  /** {@return the snapshot from which every rank makes its view} */
  default byte[] snapshot() {
    return DatasetView.snapshot(describe(), storage());
  }
}
