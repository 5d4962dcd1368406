package org.hyperslab.vol;

import java.util.Map;
import java.util.Optional;

/**
 * One connector's part of a configuration string.
 *
 * <p>The grammar: {@code name key=value key=value … | name key=value … }, the topmost connector
 * first; each passes operations to the one after the bar. A value with spaces, bars or quotes
 * stands in double quotes, in which a backslash quotes the next character.
 *
 * @param name the connector's name
 * @param options its options, in the order given
 * @param below the connector to which it passes operations; empty for the lowest
 */
public record ConnectorConfiguration(
    String name, Map<String, String> options, Optional<ConnectorConfiguration> below) {

  /** Copies the options. */
  public ConnectorConfiguration {
    options = Map.copyOf(options);
  }
}
