package org.hyperslab;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * Connectors that files opened without a session share: one for each configuration string, made
 * when the first file needs it and closed when the last one that uses it is closed.
 *
 * <p>Thread rule: any thread. Making and closing a connector happen under one lock, so that a
 * connector is never made twice for one configuration, nor used while it closes.
 */
final class SharedConnectors {

  private static final SharedConnectors ALL = new SharedConnectors();

  private final Map<String, Entry> entries = new HashMap<>();

  private SharedConnectors() {}

  private static final class Entry {
    final Connector connector;
    int users;

    Entry(Connector connector) {
      this.connector = connector;
    }
  }

  /** A connector in use, until it is released; releasing twice does nothing. */
  static final class Lease {
    private final String key;
    private final Connector connector;
    private final AtomicBoolean released = new AtomicBoolean();

    private Lease(String key, Connector connector) {
      this.key = key;
      this.connector = connector;
    }

    Connector connector() {
      return connector;
    }

    void release() {
      if (released.compareAndSet(false, true)) {
        ALL.release(key);
      }
    }
  }

  /** Returns a lease on the connector of a configuration string. */
  static Lease lease(String configuration) {
    return ALL.take(Connectors.parse(configuration).toString());
  }

  private synchronized Lease take(String key) {
    Entry entry = entries.computeIfAbsent(key, made -> new Entry(Connectors.create(made)));
    entry.users++;
    return new Lease(key, entry.connector);
  }

  private synchronized void release(String key) {
    Entry entry = entries.get(key);
    if (--entry.users == 0) {
      entries.remove(key);
      entry.connector.close();
    }
  }
}
