package org.hyperslab.plugins.forwarding.client;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;

/**
 * Creates the connector {@code forwarding}. Options: {@code servers} (HOST:PORT or unix:PATH,
 * separated by commas), {@code name}, {@code tokenFile}, {@code certificate}, {@code key} and
 * {@code trust} (PEM files), {@code acknowledge} (received, applied or durable), {@code window}
 * (bytes), {@code timeout} and {@code reconnect} (seconds), {@code stripe} (size in bytes of the
 * stripes that are divided among servers; 0 sends all data to a file's home). URIs: {@code
 * hyperslab://HOST:PORT/path}.
 */
public final class ForwardingConnectorFactory implements ConnectorFactory {

  /** Creates a factory; called by the service loader. */
  public ForwardingConnectorFactory() {}

  @Override
  public String name() {
    return ForwardingConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("hyperslab");
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    return new ForwardingConnector(ClientOptions.of(configuration));
  }
}
