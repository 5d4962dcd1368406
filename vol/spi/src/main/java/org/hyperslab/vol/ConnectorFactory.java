package org.hyperslab.vol;

import java.util.Set;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;

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

  /**
   * Makes a connector for which one name denotes a file whose bytes are in a store of the caller;
   * other names keep their meaning. Files can thus be in memory, or in any other store.
   *
   * @param name of the file, such as {@code memory:1}; not that of a local file
   * @param store its bytes, empty if it is to be created; closed with the file
   * @return the connector
   * @throws UnsupportedFeatureException if connectors of this kind keep files elsewhere
   */
  default Connector over(String name, ByteStore store) {
    throw new UnsupportedFeatureException(
        "connector: actual="
            + name()
            + ", which has its own storage, expected=a connector that can use a given store, "
            + "such as native, at="
            + name);
  }
}
