package org.hyperslab.plugins.nativevol;

import java.util.Map;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;

/**
 * Creates the connector {@code native}, which has the option {@code verify=write} (the property of
 * that name, for all files) and no connector below it.
 */
public final class NativeConnectorFactory implements ConnectorFactory {

  /** Creates the factory; called by the service loader. */
  public NativeConnectorFactory() {}

  @Override
  public String name() {
    return NativeConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("file", "http", "https", "s3");
  }

  @Override
  public boolean keepsScheme(String scheme) {
    return !scheme.equals("file");
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    Map<String, String> options = configuration.options();
    boolean verifies = options.equals(Map.of("verify", "write"));
    if (!options.isEmpty() && !verifies || configuration.below().isPresent()) {
      throw new InvalidUseException(
          "connector native: actual="
              + configuration
              + ", expected=no option but verify=write, and no connector below it");
    }
    return new NativeConnector(options);
  }
}
