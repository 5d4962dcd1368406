package org.hyperslab.vol.passthrough;

import java.util.Set;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes connectors that have statistics be kept of new datasets. Options: {@code block} (65536),
 * the number of elements in a block of a dataset without chunks.
 */
public final class IndexingConnectorFactory implements ConnectorFactory {

  private static final long USUAL_BLOCK = 1 << 16;
  private static final long MOST = 1L << 30;

  /** For the service loader. */
  public IndexingConnectorFactory() {}

  @Override
  public String name() {
    return IndexingConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    long block = options.number("block", USUAL_BLOCK, 1, MOST);
    options.rejectUnknown();
    return new IndexingConnector(options.below(), block);
  }
}
