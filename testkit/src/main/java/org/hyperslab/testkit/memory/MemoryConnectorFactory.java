package org.hyperslab.testkit.memory;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/** Makes memory connectors. */
public final class MemoryConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public MemoryConnectorFactory() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    options.rejectUnknownAndBelow();
    return new MemoryConnector();
  }
}
