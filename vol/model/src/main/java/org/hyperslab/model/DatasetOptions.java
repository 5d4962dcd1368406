package org.hyperslab.model;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for creating a dataset.
 *
 * <p>Thread rule: immutable.
 */
public final class DatasetOptions {

  /** The defaults of the C library, without times. */
  public static final DatasetOptions DEFAULT = builder().build();

  private final Layout layout;
  private final List<FilterSpec> filters;
  private final FillValue fill;
  private final FillValue.Time fillTime;
  private final AllocationTime allocationTime;
  private final boolean trackTimes;
  private final AttributeStorage attributes;
  private final long statistics;

  private DatasetOptions(Builder builder) {
    layout = builder.layout;
    filters = List.copyOf(builder.filters);
    fill = builder.fill;
    fillTime = builder.fillTime;
    allocationTime = builder.allocationTime;
    trackTimes = builder.trackTimes;
    attributes = builder.attributes;
    statistics = builder.statistics;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return a builder that starts with the defaults and chunks of the given shape}
   *
   * @param dims the lengths in elements, slowest dimension first
   */
  public static Builder chunked(long... dims) {
    return builder().layout(Layout.Chunked.of(dims));
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.layout = layout;
    builder.filters.addAll(filters);
    builder.fill = fill;
    builder.fillTime = fillTime;
    builder.allocationTime = allocationTime;
    builder.trackTimes = trackTimes;
    builder.attributes = attributes;
    builder.statistics = statistics;
    return builder;
  }

  /** {@return how elements are laid out} */
  public Layout layout() {
    return layout;
  }

  /** {@return the filters, in the order of application on write; chunked layout only} */
  public List<FilterSpec> filters() {
    return filters;
  }

  /** {@return what unwritten elements read as} */
  public FillValue fill() {
    return fill;
  }

  /** {@return when fill values are written} */
  public FillValue.Time fillTime() {
    return fillTime;
  }

  /** {@return when storage is allocated} */
  public AllocationTime allocationTime() {
    return allocationTime;
  }

  /** {@return whether the modification time is recorded} */
  public boolean trackTimes() {
    return trackTimes;
  }

  /** {@return how attributes are kept} */
  public AttributeStorage attributes() {
    return attributes;
  }

  /**
   * {@return whether statistics of the values are kept in the file, by every writer of this
   * library} The number of elements in a block of which there are statistics; 0 if there are none.
   * The blocks of a dataset in chunks are its chunks, and any number above 0 says that there are
   * statistics.
   *
   * @since 0.2
   */
  public long statistics() {
    return statistics;
  }

  private List<Object> values() {
    return List.of(
        layout, filters, fill, fillTime, allocationTime, trackTimes, attributes, statistics);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatasetOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "DatasetOptions[layout="
        + layout
        + ", filters="
        + filters
        + ", fill="
        + fill
        + ", fillTime="
        + fillTime
        + ", allocationTime="
        + allocationTime
        + ", trackTimes="
        + trackTimes
        + ", attributes="
        + attributes
        + ", statistics="
        + statistics
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Layout layout = new Layout.Auto();
    private final List<FilterSpec> filters = new ArrayList<>();
    private FillValue fill = new FillValue.Default();
    private FillValue.Time fillTime = FillValue.Time.IF_SET;
    private AllocationTime allocationTime = AllocationTime.DEFAULT;
    private boolean trackTimes;
    private AttributeStorage attributes = AttributeStorage.DEFAULT;
    private long statistics;

    private Builder() {}

    /**
     * Sets the layout.
     *
     * @param newLayout the layout
     * @return this builder
     */
    public Builder layout(Layout newLayout) {
      this.layout = newLayout;
      return this;
    }

    /**
     * Sets chunks of the given shape as layout.
     *
     * @param dims the lengths in elements, slowest dimension first
     * @return this builder
     */
    public Builder chunked(long... dims) {
      return layout(Layout.Chunked.of(dims));
    }

    /**
     * Adds a filter after those already there.
     *
     * @param filter the filter
     * @return this builder
     */
    public Builder filter(FilterSpec filter) {
      filters.add(filter);
      return this;
    }

    /**
     * Sets all filters, in place of those already there.
     *
     * @param all the filters, in the order in which they are applied on write
     * @return this builder
     */
    public Builder filters(List<FilterSpec> all) {
      filters.clear();
      filters.addAll(all);
      return this;
    }

    /**
     * Adds deflate at a level from 0 to 9; see {@link FilterSpec#deflate}.
     *
     * @param level the level
     * @return this builder
     */
    public Builder deflate(int level) {
      return filter(FilterSpec.deflate(level));
    }

    /**
     * Adds Zstandard at a level from 1 to 22; see {@link FilterSpec#zstd}.
     *
     * @param level the level
     * @return this builder
     */
    public Builder zstd(int level) {
      return filter(FilterSpec.zstd(level));
    }

    /**
     * Adds LZ4; see {@link FilterSpec#lz4}.
     *
     * @return this builder
     */
    public Builder lz4() {
      return filter(FilterSpec.lz4());
    }

    /**
     * Adds LZF; see {@link FilterSpec#lzf}.
     *
     * @return this builder
     */
    public Builder lzf() {
      return filter(FilterSpec.lzf());
    }

    /**
     * Adds Blosc; see {@link FilterSpec#blosc}.
     *
     * @param codec the coder within Blosc
     * @param level the level
     * @return this builder
     */
    public Builder blosc(FilterSpec.BloscCodec codec, int level) {
      return filter(FilterSpec.blosc(codec, level));
    }

    /**
     * Adds byte shuffle.
     *
     * @return this builder
     */
    public Builder shuffle() {
      return filter(FilterSpec.shuffle());
    }

    /**
     * Adds a Fletcher-32 checksum.
     *
     * @return this builder
     */
    public Builder fletcher32() {
      return filter(FilterSpec.fletcher32());
    }

    /**
     * Sets the fill value.
     *
     * @param newFill the fill value
     * @return this builder
     */
    public Builder fill(FillValue newFill) {
      this.fill = newFill;
      return this;
    }

    /**
     * Sets the fill value as a Java value, such as {@code -1}; see {@link FillValue#of}.
     *
     * @param value the Java value
     * @return this builder
     */
    public Builder fill(Object value) {
      return fill(FillValue.of(value));
    }

    /**
     * Sets when fill values are written.
     *
     * @param newFillTime when fill values are written
     * @return this builder
     */
    public Builder fillTime(FillValue.Time newFillTime) {
      this.fillTime = newFillTime;
      return this;
    }

    /**
     * Sets when storage is allocated.
     *
     * @param newAllocationTime when storage is allocated
     * @return this builder
     */
    public Builder allocationTime(AllocationTime newAllocationTime) {
      this.allocationTime = newAllocationTime;
      return this;
    }

    /**
     * Sets whether the modification time is recorded.
     *
     * @param newTrackTimes whether times are recorded
     * @return this builder
     */
    public Builder trackTimes(boolean newTrackTimes) {
      this.trackTimes = newTrackTimes;
      return this;
    }

    /**
     * Sets how attributes are kept.
     *
     * @param newAttributes how attributes are kept
     * @return this builder
     */
    public Builder attributes(AttributeStorage newAttributes) {
      this.attributes = newAttributes;
      return this;
    }

    /**
     * Sets whether statistics of the values are kept in the file, see {@link
     * DatasetOptions#statistics}. Datasets without numbers, with more than 64 numbers in an
     * element, and with elements in other files have none.
     *
     * @param blockElements the number of elements in a block of a dataset without chunks, such as
     *     65,536; 0 for no statistics
     * @return this builder
     * @throws InvalidUseException if it is negative
     * @since 0.2
     */
    public Builder statistics(long blockElements) {
      if (blockElements < 0) {
        throw new InvalidUseException(
            "elements in a block of statistics: actual=" + blockElements + ", expected=0 or more");
      }
      this.statistics = blockElements;
      return this;
    }

    /** {@return the options} */
    public DatasetOptions build() {
      return new DatasetOptions(this);
    }
  }
}
