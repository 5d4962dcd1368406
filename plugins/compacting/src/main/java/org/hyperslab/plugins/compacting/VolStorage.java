package org.hyperslab.plugins.compacting;

import java.util.concurrent.CompletionStage;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.queue.StorageLayer;
import org.hyperslab.plugins.compacting.storage.MergedTransfers;

/**
 * The storage of a compactor that is a connector.
 *
 * @param transfers carries requests out
 */
record VolStorage(MergedTransfers transfers) implements StorageLayer, AutoCloseable {

  @Override
  public CompletionStage<?> write(MergedWrite write) {
    return transfers.write(write);
  }

  @Override
  public CompletionStage<?> read(MergedRead read) {
    return transfers.read(read);
  }

  @Override
  public void close() {
    transfers.close();
  }
}
