package org.hyperslab.model;

import java.util.HashMap;
import java.util.Map;

/**
 * Options for transferring elements.
 *
 * @param collective whether all ranks of the file's communicator make this call together
 * @param properties hints, by names that the connector documents
 */
public record TransferOptions(boolean collective, Map<String, String> properties) {

  /** Independent, without hints. */
  public static final TransferOptions DEFAULT = new TransferOptions(false, Map.of());

  /** Collective, without hints. */
  public static final TransferOptions COLLECTIVE = new TransferOptions(true, Map.of());

  /** Copies the properties. */
  public TransferOptions {
    properties = Map.copyOf(properties);
  }

  /**
   * {@return these options with properties in addition, where they have none of the same name}
   *
   * @param more the properties
   */
  public TransferOptions orElse(Map<String, String> more) {
    if (more.isEmpty()) {
      return this;
    }
    Map<String, String> all = new HashMap<>(more);
    all.putAll(properties);
    return new TransferOptions(collective, all);
  }
}
