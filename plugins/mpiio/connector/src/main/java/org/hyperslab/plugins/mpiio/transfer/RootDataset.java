package org.hyperslab.plugins.mpiio.transfer;

import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * A dataset in rank 0's engine; the other ranks have no engine.
 *
 * <p>Thread rule: any thread.
 */
public interface RootDataset {

  /** {@return the current properties of the dataset} */
  DatasetInfo describe();

  /** {@return its raw storage, which also allocates places} */
  RawStorage storage();

  /**
   * Reads elements through the engine.
   *
   * @param transfer the transfer
   * @param target the buffer that receives the elements
   */
  void read(Transfer transfer, DataBuffer target);

  /**
   * Writes elements through the engine.
   *
   * @param transfer the transfer
   * @param source the elements to write
   */
  void write(Transfer transfer, DataBuffer source);

  /** {@return the snapshot from which every rank creates its view} */
  default byte[] snapshot() {
    return DatasetView.snapshot(describe(), storage());
  }
}
