package org.hyperslab.vol;

import java.util.Set;

/**
 * Makes connectors of one kind; found by {@link java.util.ServiceLoader}.
 *
 * <p>Thread rule: any thread.
 */
public interface ConnectorFactory {

  /** The name in configuration strings, such as {@code native} or {@code tracing}. */
  String name();

  /** The URI schemes that choose this connector, without colon; often empty. */
  Set<String> schemes();

  /**
   * Makes a connector.
   *
   * @param configuration its own part of the configuration, with the connectors below it
   * @throws org.hyperslab.error.InvalidUseException if an option is unknown or out of bounds
   */
  Connector create(ConnectorConfiguration configuration);
}
