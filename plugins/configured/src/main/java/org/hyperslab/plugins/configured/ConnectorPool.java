package org.hyperslab.plugins.configured;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;

/**
 * The connectors that rules choose, one of each configuration, made when the first file needs it.
 *
 * <p>Thread rule: any thread.
 */
final class ConnectorPool {

  private final Map<ConnectorConfiguration, Connector> made = new HashMap<>();

  /**
   * Begins with one connector.
   *
   * @param configuration its configuration
   * @param connector the connector, closed with the others
   */
  ConnectorPool(ConnectorConfiguration configuration, Connector connector) {
    made.put(configuration, connector);
  }

  synchronized Connector get(ConnectorConfiguration configuration) {
    return made.computeIfAbsent(configuration, Connectors::create);
  }

  /** Closes all connectors, also if one of them fails to close; the first failure is thrown. */
  void close() {
    List<Connector> all;
    synchronized (this) {
      all = new ArrayList<>(made.values());
      made.clear();
    }
    RuntimeException first = null;
    for (Connector connector : all) {
      try {
        connector.close();
      } catch (RuntimeException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
