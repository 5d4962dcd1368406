package org.hyperslab.model;

import java.util.List;
import org.hyperslab.format.type.CharacterSet;

/**
 * Options for creating a link.
 *
 * <p>Thread rule: immutable.
 */
public final class LinkOptions {

  /** Parent groups must exist; names that are not ASCII are UTF-8. */
  public static final LinkOptions DEFAULT = builder().build();

  /** Creates missing parent groups. */
  public static final LinkOptions CREATE_INTERMEDIATE = builder().createIntermediate(true).build();

  private final boolean createIntermediate;
  private final CharacterSet charset;

  private LinkOptions(Builder builder) {
    createIntermediate = builder.createIntermediate;
    charset = builder.charset;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.createIntermediate = createIntermediate;
    builder.charset = charset;
    return builder;
  }

  /** {@return whether missing groups on the way are created} */
  public boolean createIntermediate() {
    return createIntermediate;
  }

  /** {@return the character set recorded for the name} */
  public CharacterSet charset() {
    return charset;
  }

  private List<Object> values() {
    return List.of(createIntermediate, charset);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "LinkOptions[createIntermediate=" + createIntermediate + ", charset=" + charset + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean createIntermediate;
    private CharacterSet charset = CharacterSet.ASCII;

    private Builder() {}

    /**
     * Sets whether missing groups on the way are created.
     *
     * @param newCreateIntermediate whether missing groups on the way are created
     * @return this builder
     */
    public Builder createIntermediate(boolean newCreateIntermediate) {
      this.createIntermediate = newCreateIntermediate;
      return this;
    }

    /**
     * Sets the character set recorded for the name.
     *
     * @param newCharset the character set recorded for the name
     * @return this builder
     */
    public Builder charset(CharacterSet newCharset) {
      this.charset = newCharset;
      return this;
    }

    /** {@return the options} */
    public LinkOptions build() {
      return new LinkOptions(this);
    }
  }
}
