package org.hyperslab.plugins.nativevol;

import java.util.Map;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.plugins.nativevol.store.StoreFactory;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.plugins.nativevol.transfer.Workers;
import org.hyperslab.vol.Connector;

/** Makes the connector native for simulated worlds, where it starts no threads of its own. */
public final class NativeInWorld {

  private static final TransferResources ALONE =
      new TransferResources(new Workers(1), new BufferPool(16 << 20));

  private NativeInWorld() {}

  /** {@return a connector} */
  public static Connector create() {
    return new NativeConnector(StoreFactory.standard(), Map.of(), ALONE);
  }
}
