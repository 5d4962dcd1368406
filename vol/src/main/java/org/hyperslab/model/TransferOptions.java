package org.hyperslab.model;

import java.util.Map;

/**
 * How elements are moved.
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
}
