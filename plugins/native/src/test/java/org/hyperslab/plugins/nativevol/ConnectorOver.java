package org.hyperslab.plugins.nativevol;

import java.util.Map;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.store.StoreFactory;
import org.hyperslab.vol.Connector;

/** Makes connectors to files that are not at a path, such as a store of the test. */
public final class ConnectorOver {

  private ConnectorOver() {}

  /** A connector to which every name means one store, whether it creates a file or opens one. */
  public static Connector store(ByteStore store) {
    return new NativeConnector(
        new StoreFactory() {
          @Override
          public ByteStore open(String name, OpenOptions options) {
            return store;
          }

          @Override
          public ByteStore create(String name, OpenOptions options, boolean exclusive) {
            return store;
          }
        },
        Map.of());
  }
}
