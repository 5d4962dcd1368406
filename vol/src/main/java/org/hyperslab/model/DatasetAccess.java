package org.hyperslab.model;

import java.util.Map;

/**
 * How an open dataset finds the other files that hold its elements: properties of {@link
 * OpenOptions} that apply to this dataset instead of its whole file.
 *
 * <p>Thread rule: immutable.
 *
 * @param properties the properties, by names that the connector documents: {@code
 *     externalFilePrefix}, {@code virtualPrefix}, {@code virtual.view}, {@code virtual.gap}
 */
public record DatasetAccess(Map<String, String> properties) {

  /** As the file's options say. */
  public static final DatasetAccess DEFAULT = new DatasetAccess(Map.of());

  /** Copies the properties. */
  public DatasetAccess {
    properties = Map.copyOf(properties);
  }
}
