package org.hyperslab.vol.passthrough;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes connectors of type {@link TracingConnector}. Options: {@code file} where the profile is
 * written instead of standard error; {@code print} (true) whether it is.
 */
public final class TracingConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public TracingConnectorFactory() {}

  @Override
  public String name() {
    return "tracing";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    Optional<Path> file = options.text("file").map(Path::of);
    boolean print = options.flag("print", true);
    options.rejectUnknown();
    return new TracingConnector(options.below(), print, file);
  }
}
