package org.hyperslab.model;

import java.util.List;

/**
 * Options for copying an object.
 *
 * <p>Thread rule: immutable.
 */
public final class CopyOptions {

  /** Copies whole trees with their attributes; links are copied as links. */
  public static final CopyOptions DEFAULT = builder().build();

  private final boolean shallow;
  private final boolean expandSoftLinks;
  private final boolean expandExternalLinks;
  private final boolean expandReferences;
  private final boolean withoutAttributes;
  private final boolean mergeCommittedTypes;

  private CopyOptions(Builder builder) {
    shallow = builder.shallow;
    expandSoftLinks = builder.expandSoftLinks;
    expandExternalLinks = builder.expandExternalLinks;
    expandReferences = builder.expandReferences;
    withoutAttributes = builder.withoutAttributes;
    mergeCommittedTypes = builder.mergeCommittedTypes;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.shallow = shallow;
    builder.expandSoftLinks = expandSoftLinks;
    builder.expandExternalLinks = expandExternalLinks;
    builder.expandReferences = expandReferences;
    builder.withoutAttributes = withoutAttributes;
    builder.mergeCommittedTypes = mergeCommittedTypes;
    return builder;
  }

  /** {@return whether only the first level of a group is copied} */
  public boolean shallow() {
    return shallow;
  }

  /** {@return whether soft links become copies of what they name} */
  public boolean expandSoftLinks() {
    return expandSoftLinks;
  }

  /** {@return whether external links become copies of what they name} */
  public boolean expandExternalLinks() {
    return expandExternalLinks;
  }

  /** {@return whether what object references point to is copied, too} */
  public boolean expandReferences() {
    return expandReferences;
  }

  /** {@return whether attributes are left out} */
  public boolean withoutAttributes() {
    return withoutAttributes;
  }

  /** {@return whether an equal committed type at the destination is used} */
  public boolean mergeCommittedTypes() {
    return mergeCommittedTypes;
  }

  private List<Object> values() {
    return List.of(
        shallow,
        expandSoftLinks,
        expandExternalLinks,
        expandReferences,
        withoutAttributes,
        mergeCommittedTypes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CopyOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "CopyOptions[shallow="
        + shallow
        + ", expandSoftLinks="
        + expandSoftLinks
        + ", expandExternalLinks="
        + expandExternalLinks
        + ", expandReferences="
        + expandReferences
        + ", withoutAttributes="
        + withoutAttributes
        + ", mergeCommittedTypes="
        + mergeCommittedTypes
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean shallow;
    private boolean expandSoftLinks;
    private boolean expandExternalLinks;
    private boolean expandReferences;
    private boolean withoutAttributes;
    private boolean mergeCommittedTypes;

    private Builder() {}

    /**
     * Sets whether only the first level of a group is copied.
     *
     * @param newShallow whether only the first level of a group is copied
     * @return this builder
     */
    public Builder shallow(boolean newShallow) {
      this.shallow = newShallow;
      return this;
    }

    /**
     * Sets whether soft links become copies of what they name.
     *
     * @param newExpandSoftLinks whether soft links become copies of what they name
     * @return this builder
     */
    public Builder expandSoftLinks(boolean newExpandSoftLinks) {
      this.expandSoftLinks = newExpandSoftLinks;
      return this;
    }

    /**
     * Sets whether external links become copies of what they name.
     *
     * @param newExpandExternalLinks whether external links become copies of what they name
     * @return this builder
     */
    public Builder expandExternalLinks(boolean newExpandExternalLinks) {
      this.expandExternalLinks = newExpandExternalLinks;
      return this;
    }

    /**
     * Sets whether what object references point to is copied, too.
     *
     * @param newExpandReferences whether what object references point to is copied, too
     * @return this builder
     */
    public Builder expandReferences(boolean newExpandReferences) {
      this.expandReferences = newExpandReferences;
      return this;
    }

    /**
     * Sets whether attributes are left out.
     *
     * @param newWithoutAttributes whether attributes are left out
     * @return this builder
     */
    public Builder withoutAttributes(boolean newWithoutAttributes) {
      this.withoutAttributes = newWithoutAttributes;
      return this;
    }

    /**
     * Sets whether an equal committed type at the destination is used.
     *
     * @param newMergeCommittedTypes whether an equal committed type at the destination is used
     * @return this builder
     */
    public Builder mergeCommittedTypes(boolean newMergeCommittedTypes) {
      this.mergeCommittedTypes = newMergeCommittedTypes;
      return this;
    }

    /** {@return the options} */
    public CopyOptions build() {
      return new CopyOptions(this);
    }
  }
}
