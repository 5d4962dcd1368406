package org.hyperslab.plugins.configured;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes connectors of type {@link ConfiguredConnector}. Options: {@code file}, the configuration
 * file; {@code report}, a file for the decisions, written when the connector is closed; {@code
 * connectors} (true), whether rules may choose other connectors than those below, also where they
 * are not forced.
 */
public final class ConfiguredConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
  public ConfiguredConnectorFactory() {}

  @Override
  public String name() {
    return ConfiguredConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    Path file =
        options
            .text("file")
            .map(Path::of)
            .orElseThrow(() ->
                new InvalidUseException(
                    "option file of connector configured: actual=none, expected=the configuration"
                        + " file, such as \"configured file=hyperslab.yaml | native\""));
    Optional<Path> report = options.text("report").map(Path::of);
    boolean mayReplace = options.flag("connectors", true);
    options.rejectUnknown();
    ConnectorConfiguration below = configuration.below().orElse(configuration);
    return new ConfiguredConnector(
        Configuration.read(file), options.below(), below, !mayReplace, report);
  }
}
