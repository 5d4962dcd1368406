package org.hyperslab.vol.passthrough;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes connectors of type {@link CachingConnector}. Options: {@code bytes} (64M) of all pages;
 * {@code page} (256K) bytes of a page, at most a quarter of {@code bytes}.
 */
public final class CachingConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public CachingConnectorFactory() {}

  @Override
  public String name() {
    return "caching";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    long bytes = options.bytes("bytes", 64L << 20, 4096, 1L << 40);
    long page = options.bytes("page", Math.min(256L << 10, bytes / 4), 64, bytes / 4);
    options.rejectUnknown();
    return new CachingConnector(options.below(), bytes, page);
  }
}
