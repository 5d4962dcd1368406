package org.hyperslab;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
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
    private final Connector connector;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    private Lease(Connector connector, Runnable release) {
      this.connector = connector;
      this.release = release;
    }

    private Lease over(ByteStore store) {
      Connector over = connector.over(store.name(), store);
      return new Lease(
          over,
          () -> {
            over.close();
            release();
          });
    }

    Connector connector() {
      return connector;
    }

    void release() {
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    }
  }

  /** Returns a lease on the connector of a configuration string. */
  static Lease lease(String configuration) {
    return ALL.take(Connectors.parse(configuration).toString());
  }

  /**
   * Returns a lease on a connector for which the name of a store denotes the file in it, and which
   * shares all other files with those that are opened without a session.
   */
  static Lease leaseOver(ByteStore store) {
    Lease shared = lease(configurationOver());
    try {
      return shared.over(store);
    } catch (RuntimeException failure) {
      shared.release();
      throw failure;
    }
  }

  /**
   * Returns the usual configuration if it has the connector that works on byte stores, and that
   * connector otherwise: the others have their own storage.
   */
  private static String configurationOver() {
    ConnectorConfiguration usual = Connectors.parse(Connectors.defaultConfiguration());
    return usual.lowest().name().equals(Connectors.FALLBACK)
        ? usual.toString()
        : Connectors.FALLBACK;
  }

  private synchronized Lease take(String key) {
    Entry entry = entries.computeIfAbsent(key, made -> new Entry(Connectors.create(made)));
    entry.users++;
    return new Lease(entry.connector, () -> release(key));
  }

  private synchronized void release(String key) {
    Entry entry = Objects.requireNonNull(entries.get(key));
    if (--entry.users == 0) {
      entries.remove(key);
      entry.connector.close();
    }
  }
}
