package org.hyperslab.plugins.jhdf;

import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;

/** Makes the connector {@code jhdf}, which has no options and nothing below it. */
public final class JhdfConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public JhdfConnectorFactory() {}

  @Override
  public String name() {
    return JhdfConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    if (!configuration.options().isEmpty() || configuration.below().isPresent()) {
      throw new InvalidUseException(
          "connector jhdf: actual="
              + configuration
              + ", expected=no options and no connector below it");
    }
    return new JhdfConnector();
  }
}
