package org.hyperslab.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Options for transferring elements.
 *
 * <p>Thread rule: immutable.
 */
public final class TransferOptions {

  /** Independent, without hints. */
  public static final TransferOptions DEFAULT = builder().build();

  /** Collective, without hints. */
  public static final TransferOptions COLLECTIVE = builder().collective(true).build();

  private final boolean collective;
  private final Map<String, String> properties;

  private TransferOptions(Builder builder) {
    collective = builder.collective;
    properties = Map.copyOf(builder.properties);
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.collective = collective;
    builder.properties.putAll(properties);
    return builder;
  }

  /** {@return whether all ranks of the file's communicator make this call together} */
  public boolean collective() {
    return collective;
  }

  /** {@return hints, by names that the connector documents} */
  public Map<String, String> properties() {
    return properties;
  }

  /**
   * {@return these options with one more property}
   *
   * @param name the name, which the connector documents
   * @param value the property's value
   */
  public TransferOptions withProperty(String name, String value) {
    return toBuilder().property(name, value).build();
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
    Builder builder = toBuilder();
    more.forEach(builder.properties::putIfAbsent);
    return builder.build();
  }

  private List<Object> values() {
    return List.of(collective, properties);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TransferOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "TransferOptions[collective=" + collective + ", properties=" + properties + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean collective;
    private final Map<String, String> properties = new HashMap<>();

    private Builder() {}

    /**
     * Sets whether all ranks of the file's communicator make this call together.
     *
     * @param newCollective whether all ranks of the file's communicator make this call together
     * @return this builder
     */
    public Builder collective(boolean newCollective) {
      this.collective = newCollective;
      return this;
    }

    /**
     * Sets hints, by names that the connector documents.
     *
     * @param newProperties hints, by names that the connector documents
     * @return this builder
     */
    public Builder properties(Map<String, String> newProperties) {
      properties.clear();
      properties.putAll(newProperties);
      return this;
    }

    /**
     * Adds a property, or replaces the one of its name.
     *
     * @param name the name, which the connector documents
     * @param value the property's value
     * @return this builder
     */
    public Builder property(String name, String value) {
      properties.put(name, value);
      return this;
    }

    /** {@return the options} */
    public TransferOptions build() {
      return new TransferOptions(this);
    }
  }
}
