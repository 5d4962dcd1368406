package org.hyperslab.vol;

import java.util.Set;

/**
 * Makes connectors of one kind; found by {@link java.util.ServiceLoader}.
 *
 * <p>Thread rule: any thread.
 */
public interface ConnectorFactory {

  /** {@return the name in configuration strings, such as {@code native} or {@code tracing}} */
  String name();

  /** {@return the URI schemes that choose this connector, without colon; often empty} */
  Set<String> schemes();

  /**
   * Returns whether the connector receives a file's name with the scheme, because the scheme is
   * part of the address, as in {@code https://host/a.h5}. Otherwise the scheme and the colon are
   * removed.
   *
   * @param scheme one of {@link #schemes}
   * @return whether the name is passed on with its scheme
   */
  default boolean keepsScheme(String scheme) {
    return false;
  }

  /**
   * Makes a connector.
   *
   * @param configuration its own part of the configuration, with the connectors below it
   * @return the connector
   * @throws org.hyperslab.error.InvalidUseException if an option is unknown or out of bounds
   */
  Connector create(ConnectorConfiguration configuration);
}
