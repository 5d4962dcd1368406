package org.hyperslab.plugins.mpiio;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;

/** Makes the connector {@code mpiio}; its options are those of {@link MpiioOptions}. */
public final class MpiioConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public MpiioConnectorFactory() {}

  @Override
  public String name() {
    return MpiioConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("mpiio");
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    return MpiioConnector.inCurrentWorld(MpiioOptions.of(configuration));
  }
}
