package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;

/**
 * The storage options of a variable.
 *
 * <p>Thread rule: immutable.
 */
public final class VariableOptions {

  /** The default options. */
  public static final VariableOptions DEFAULT = builder().build();

  private final List<Long> chunks;
  private final List<FilterSpec> filters;
  private final Optional<Object> fill;
  private final boolean noFill;

  private VariableOptions(Builder builder) {
    chunks = builder.chunks;
    filters = builder.filters;
    fill = builder.fill;
    noFill = builder.noFill;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.chunks = chunks;
    builder.filters = filters;
    builder.fill = fill;
    builder.noFill = noFill;
    return builder;
  }

  /**
   * {@return the shape of its chunks in elements, slowest dimension first; empty: chosen
   * automatically, or contiguous storage if no option needs chunks}
   */
  public List<Long> chunks() {
    return chunks;
  }

  /** {@return the filters, in the order of application on write} */
  public List<FilterSpec> filters() {
    return filters;
  }

  /**
   * {@return the value of elements that were never written; empty: netCDF's default for the type}
   */
  public Optional<Object> fill() {
    return fill;
  }

  /** {@return whether such elements are left undefined, which saves writing them} */
  public boolean noFill() {
    return noFill;
  }

  /**
   * Sets the shape of chunks.
   *
   * @param shape a length for each dimension, slowest first
   * @return these options with it
   */
  public VariableOptions withChunks(long... shape) {
    return toBuilder().chunks(Arrays.stream(shape).boxed().toList()).build();
  }

  /**
   * Adds compression with deflate, after the existing filters.
   *
   * @param level 0 to 9
   * @return these options with it
   * @throws InvalidUseException if there is no such level
   */
  public VariableOptions withDeflate(int level) {
    return withFilter(FilterSpec.deflate(level));
  }

  /**
   * Adds byte shuffle, which improves a compression that follows.
   *
   * @return these options with it
   */
  public VariableOptions withShuffle() {
    return withFilter(FilterSpec.shuffle());
  }

  /**
   * Adds a checksum to every chunk.
   *
   * @return these options with it
   */
  public VariableOptions withFletcher32() {
    return withFilter(FilterSpec.fletcher32());
  }

  /**
   * Adds any filter, such as {@code FilterSpec.zstd(3)}, which readers need as a plugin.
   *
   * @param filter the filter, applied after the existing ones
   * @return these options with it
   */
  public VariableOptions withFilter(FilterSpec filter) {
    List<FilterSpec> all = new ArrayList<>(filters);
    all.add(filter);
    return toBuilder().filters(all).build();
  }

  /**
   * Sets the fill value, which is also stored as the attribute {@code _FillValue}.
   *
   * @param value a value of the variable's type; for NC_CHAR one byte: a String of one character or
   *     none, a char or a byte
   * @return these options with it
   */
  public VariableOptions withFill(Object value) {
    return toBuilder().fill(Optional.of(value)).build();
  }

  /**
   * Leaves elements that were never written undefined.
   *
   * @return these options without a fill value
   */
  public VariableOptions withoutFill() {
    return toBuilder().fill(Optional.empty()).noFill(true).build();
  }

  private List<Object> values() {
    return List.of(chunks, filters, fill, noFill);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VariableOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "VariableOptions[chunks="
        + chunks
        + ", filters="
        + filters
        + ", fill="
        + fill
        + ", noFill="
        + noFill
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private List<Long> chunks = List.of();
    private List<FilterSpec> filters = List.of();
    private Optional<Object> fill = Optional.empty();
    private boolean noFill;

    private Builder() {}

    /**
     * Sets the shape of its chunks in elements, slowest dimension first.
     *
     * @param newChunks the shape of its chunks in elements, slowest dimension first; empty: chosen
     *     automatically, or contiguous storage if no option needs chunks
     * @return this builder
     */
    public Builder chunks(List<Long> newChunks) {
      this.chunks = newChunks;
      return this;
    }

    /**
     * Sets the filters, in the order of application on write.
     *
     * @param newFilters the filters, in the order of application on write
     * @return this builder
     */
    public Builder filters(List<FilterSpec> newFilters) {
      this.filters = newFilters;
      return this;
    }

    /**
     * Sets the value of elements that were never written.
     *
     * @param newFill the value of elements that were never written; empty: netCDF's default for the
     *     type
     * @return this builder
     */
    public Builder fill(Optional<Object> newFill) {
      this.fill = newFill;
      return this;
    }

    /**
     * Sets whether such elements are left undefined, which saves writing them.
     *
     * @param newNoFill whether such elements are left undefined, which saves writing them
     * @return this builder
     */
    public Builder noFill(boolean newNoFill) {
      this.noFill = newNoFill;
      return this;
    }

    /** {@return the options} */
    public VariableOptions build() {
      chunks = List.copyOf(chunks);
      filters = List.copyOf(filters);
      if (noFill && fill.isPresent()) {
        throw new InvalidUseException(
            "fill: actual=a value, and elements left undefined, expected=one of them");
      }

      return new VariableOptions(this);
    }
  }
}
