package org.hyperslab.netcdf.cdl;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * What {@link CdlDump} writes.
 *
 * <p>Thread rule: immutable.
 */
public final class CdlOptions {

  /** Comments with the indices of elements. */
  public enum Annotations {
    /** No comments with indices. */
    NONE,
    /** Before each row, in the order of C, from 0. */
    BRIEF_C,
    /** Before each row, in the order of Fortran, from 1. */
    BRIEF_FORTRAN,
    /** Behind each element, in the order of C, from 0. */
    FULL_C,
    /** Behind each element, in the order of Fortran, from 1. */
    FULL_FORTRAN
  }

  private final String name;
  private final Data data;
  private final List<String> variables;
  private final boolean specials;
  private final int floatDigits;
  private final int doubleDigits;
  private final int lineBytes;
  private final Annotations annotations;
  private final boolean times;

  private CdlOptions(Builder builder) {
    name = builder.name;
    data = builder.data;
    variables = builder.variables;
    specials = builder.specials;
    floatDigits = builder.floatDigits;
    doubleDigits = builder.doubleDigits;
    lineBytes = builder.lineBytes;
    annotations = builder.annotations;
    times = builder.times;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.data = data;
    builder.variables = variables;
    builder.specials = specials;
    builder.floatDigits = floatDigits;
    builder.doubleDigits = doubleDigits;
    builder.lineBytes = lineBytes;
    builder.annotations = annotations;
    builder.times = times;
    return builder;
  }

  /** {@return the name after the word "netcdf"} */
  public String name() {
    return name;
  }

  /** {@return which data} */
  public Data data() {
    return data;
  }

  /**
   * {@return names, or absolute paths, of the only variables whose data are written; empty: all}
   */
  public List<String> variables() {
    return variables;
  }

  /** {@return whether properties of the storage are written as attributes} */
  public boolean specials() {
    return specials;
  }

  /** {@return significant digits of floats, 1 to 20; 0: 7, or as {@code C_format} says} */
  public int floatDigits() {
    return floatDigits;
  }

  /** {@return significant digits of doubles, 1 to 20; 0: 15, or as {@code C_format} says} */
  public int doubleDigits() {
    return doubleDigits;
  }

  /** {@return the greatest length of a line of data, at least 10} */
  public int lineBytes() {
    return lineBytes;
  }

  /** {@return the comments with indices} */
  public Annotations annotations() {
    return annotations;
  }

  /** {@return whether numbers of time variables are written as dates} */
  public boolean times() {
    return times;
  }

  /** Which data are written. */
  public enum Data {
    /** No data, only the header. */
    NONE,
    /** Those of coordinate variables. */
    COORDINATES,
    /** The data of all variables. */
    ALL
  }

  private static void requireDigits(int digits) {
    if (digits < 0 || digits > 20) {
      throw new InvalidUseException("digits: actual=" + digits + ", expected=1 to 20");
    }
  }

  /**
   * Returns the options for all content.
   *
   * @param name the name after the word "netcdf"
   * @return the options
   */
  public static CdlOptions all(String name) {
    return builder().name(name).build();
  }

  private List<Object> values() {
    return List.of(
        name, data, variables, specials, floatDigits, doubleDigits, lineBytes, annotations, times);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CdlOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "CdlOptions[name="
        + name
        + ", data="
        + data
        + ", variables="
        + variables
        + ", specials="
        + specials
        + ", floatDigits="
        + floatDigits
        + ", doubleDigits="
        + doubleDigits
        + ", lineBytes="
        + lineBytes
        + ", annotations="
        + annotations
        + ", times="
        + times
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private String name = "";
    private Data data = Data.ALL;
    private List<String> variables = List.of();
    private boolean specials;
    private int floatDigits;
    private int doubleDigits;
    private int lineBytes = 80;
    private Annotations annotations = Annotations.NONE;
    private boolean times;

    private Builder() {}

    /**
     * Sets the name after the word "netcdf".
     *
     * @param newName the name after the word "netcdf"
     * @return this builder
     */
    public Builder name(String newName) {
      this.name = newName;
      return this;
    }

    /**
     * Sets which data.
     *
     * @param newData which data
     * @return this builder
     */
    public Builder data(Data newData) {
      this.data = newData;
      return this;
    }

    /**
     * Sets names, or absolute paths, of the only variables whose data are written.
     *
     * @param newVariables names, or absolute paths, of the only variables whose data are written;
     *     empty: all
     * @return this builder
     */
    public Builder variables(List<String> newVariables) {
      this.variables = newVariables;
      return this;
    }

    /**
     * Sets whether properties of the storage are written as attributes.
     *
     * @param newSpecials whether properties of the storage are written as attributes
     * @return this builder
     */
    public Builder specials(boolean newSpecials) {
      this.specials = newSpecials;
      return this;
    }

    /**
     * Sets significant digits of floats, 1 to 20.
     *
     * @param newFloatDigits significant digits of floats, 1 to 20; 0: 7, or as {@code C_format}
     *     says
     * @return this builder
     */
    public Builder floatDigits(int newFloatDigits) {
      this.floatDigits = newFloatDigits;
      return this;
    }

    /**
     * Sets significant digits of doubles, 1 to 20.
     *
     * @param newDoubleDigits significant digits of doubles, 1 to 20; 0: 15, or as {@code C_format}
     *     says
     * @return this builder
     */
    public Builder doubleDigits(int newDoubleDigits) {
      this.doubleDigits = newDoubleDigits;
      return this;
    }

    /**
     * Sets the greatest length of a line of data, at least 10.
     *
     * @param newLineBytes the greatest length of a line of data, at least 10
     * @return this builder
     */
    public Builder lineBytes(int newLineBytes) {
      this.lineBytes = newLineBytes;
      return this;
    }

    /**
     * Sets the comments with indices.
     *
     * @param newAnnotations the comments with indices
     * @return this builder
     */
    public Builder annotations(Annotations newAnnotations) {
      this.annotations = newAnnotations;
      return this;
    }

    /**
     * Sets whether numbers of time variables are written as dates.
     *
     * @param newTimes whether numbers of time variables are written as dates
     * @return this builder
     */
    public Builder times(boolean newTimes) {
      this.times = newTimes;
      return this;
    }

    /** {@return the options} */
    public CdlOptions build() {
      variables = List.copyOf(variables);
      requireDigits(floatDigits);
      requireDigits(doubleDigits);
      if (lineBytes < 10) {
        throw new InvalidUseException(
            "length of lines: actual=" + lineBytes + ", expected=10 or more");
      }

      return new CdlOptions(this);
    }
  }
}
