package org.hyperslab.vol.passthrough;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes connectors of type {@link AsyncConnector}. Options: {@code threads} (2) that run
 * operations; {@code queue} (1024) operations that may wait or run.
 */
public final class AsyncConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public AsyncConnectorFactory() {}

  @Override
  public String name() {
    return "async";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    int threads = (int) options.number("threads", 2, 1, 1024);
    int queue = (int) options.number("queue", 1024, 1, 1 << 24);
    options.rejectUnknown();
    return new AsyncConnector(options.below(), threads, queue);
  }
}
