package org.hyperslab.convert.options;

import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;

/**
 * The options of a conversion.
 *
 * <p>Thread rule: immutable.
 */
public final class ConversionOptions {

  /**
   * The default options: formats are detected, everything is converted, nothing is left out or
   * replaced, and blocks take at most 128 MiB.
   */
  public static final ConversionOptions DEFAULT = builder().build();

  private static final long MIN_MEMORY_BYTES = 64 << 10;

  private final Optional<FileKind> from;
  private final Optional<FileKind> to;
  private final String path;
  private final boolean lenient;
  private final boolean replace;
  private final long memoryBytes;
  private final long expandedBytes;
  private final Optional<String> raw;
  private final boolean columns;
  private final Optional<String> zarr;
  private final Optional<Integer> deflate;
  private final boolean keepIncomplete;
  private final Optional<String> delimiter;
  private final TableOptions table;

  private ConversionOptions(Builder builder) {
    from = builder.from;
    to = builder.to;
    path = builder.path;
    lenient = builder.lenient;
    replace = builder.replace;
    memoryBytes = builder.memoryBytes;
    expandedBytes = builder.expandedBytes;
    raw = builder.raw;
    columns = builder.columns;
    zarr = builder.zarr;
    deflate = builder.deflate;
    keepIncomplete = builder.keepIncomplete;
    delimiter = builder.delimiter;
    table = builder.table;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.from = from;
    builder.to = to;
    builder.path = path;
    builder.lenient = lenient;
    builder.replace = replace;
    builder.memoryBytes = memoryBytes;
    builder.expandedBytes = expandedBytes;
    builder.raw = raw;
    builder.columns = columns;
    builder.zarr = zarr;
    builder.deflate = deflate;
    builder.keepIncomplete = keepIncomplete;
    builder.delimiter = delimiter;
    builder.table = table;
    return builder;
  }

  /** {@return the input's format; empty to detect it} */
  public Optional<FileKind> from() {
    return from;
  }

  /** {@return the output's format; empty to determine it from the name} */
  public Optional<FileKind> to() {
    return to;
  }

  /** {@return the group or dataset of an HDF5 input to convert; "/" for all} */
  public String path() {
    return path;
  }

  /**
   * {@return whether content that the output cannot hold is left out and listed; otherwise it is an
   * error}
   */
  public boolean lenient() {
    return lenient;
  }

  /** {@return whether an existing output is replaced; otherwise it is an error} */
  public boolean replace() {
    return replace;
  }

  /** {@return the maximum total size of blocks of elements in memory, in bytes; at least 64 KiB} */
  public long memoryBytes() {
    return memoryBytes;
  }

  /**
   * {@return the maximum total size of decompressed input in temporary files, in bytes; 0 for 1 GiB
   * or 200 times the size of the input, whichever is larger}
   */
  public long expandedBytes() {
    return expandedBytes;
  }

  /** {@return the content of a raw input, as {@code type=<f8,shape=100x200,order=C,offset=0}} */
  public Optional<String> raw() {
    return raw;
  }

  /**
   * {@return whether each column of a table becomes a dataset; otherwise the table becomes one
   * dataset of a compound type}
   */
  public boolean columns() {
    return columns;
  }

  /**
   * {@return the layout of arrays of a Zarr output, as {@code shard=4,order=F,separator=/,
   * checksum}; empty for single chunks in row-major order}
   */
  public Optional<String> zarr() {
    return zarr;
  }

  /**
   * {@return the level, 0 to 9, at which chunks of an HDF5, netCDF-4 or Zarr output are compressed
   * with shuffle and deflate, in place of the filters of the input; empty to keep these}
   */
  public Optional<Integer> deflate() {
    return deflate;
  }

  /**
   * {@return whether the output of a conversion that fails is left as far as it was written;
   * otherwise it is removed}
   */
  public boolean keepIncomplete() {
    return keepIncomplete;
  }

  /**
   * {@return what separates the cells of a table} It is that of the input if it is a table, else of
   * the output: a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe} or
   * {@code space}; empty to determine it from the content of an input, or from the format of an
   * output.
   */
  public Optional<String> delimiter() {
    return delimiter;
  }

  /** {@return how a table is read if the input is one, else how it is written} */
  public TableOptions table() {
    return table;
  }

  /**
   * Returns the character that {@link #delimiter} names.
   *
   * @return what separates the cells of a table; empty for what is usual
   */
  public Optional<Character> separator() {
    return delimiter.map(SeparatorWord::of);
  }

  /**
   * Sets both formats. {@link #withFrom} and {@link #withTo} set one and let the other be detected.
   *
   * @param newFrom the input's format
   * @param newTo the output's format
   * @return a copy of these options with these formats
   * @throws InvalidUseException if one is null
   */
  public ConversionOptions withKinds(FileKind newFrom, FileKind newTo) {
    return withFrom(newFrom).withTo(newTo);
  }

  /**
   * Sets the format of the input instead of detecting it.
   *
   * @param kind the input's format
   * @return a copy of these options with this format
   * @throws InvalidUseException if it is null
   */
  public ConversionOptions withFrom(FileKind kind) {
    Optional<FileKind> given = Optional.of(requireKind("input", kind));
    return toBuilder().from(given).build();
  }

  /**
   * Sets the format of the output instead of detecting it from the name.
   *
   * @param kind the output's format
   * @return a copy of these options with this format
   * @throws InvalidUseException if it is null
   */
  public ConversionOptions withTo(FileKind kind) {
    Optional<FileKind> given = Optional.of(requireKind("output", kind));
    return toBuilder().to(given).build();
  }

  private static FileKind requireKind(String which, FileKind kind) {
    if (kind == null) {
      throw new InvalidUseException(
          "format of the "
              + which
              + ": actual=null, expected=a kind of file; withFrom and withTo set one format and"
              + " leave the other to be detected");
    }
    return kind;
  }

  /**
   * Sets the part of an HDF5 input to convert.
   *
   * @param newPath a group or dataset
   * @return a copy of these options with it
   */
  public ConversionOptions withPath(String newPath) {
    return toBuilder().path(newPath).build();
  }

  /**
   * Sets whether content that the output cannot hold is left out.
   *
   * @param newLenient true to leave it out and list it, false to fail
   * @return a copy of these options with that
   */
  public ConversionOptions withLenient(boolean newLenient) {
    return toBuilder().lenient(newLenient).build();
  }

  /**
   * Sets whether an existing output is replaced.
   *
   * @param newReplace true to replace it, false to fail
   * @return a copy of these options with that
   */
  public ConversionOptions withReplace(boolean newReplace) {
    return toBuilder().replace(newReplace).build();
  }

  /**
   * Sets whether the output of a conversion that fails is left as far as it was written.
   *
   * @param newKeep true to leave it, false to remove it
   * @return a copy of these options with that
   */
  public ConversionOptions withKeepIncomplete(boolean newKeep) {
    return toBuilder().keepIncomplete(newKeep).build();
  }

  /**
   * Sets the limit on memory.
   *
   * @param bytes the maximum total size of blocks of elements in memory
   * @return a copy of these options with it
   * @throws InvalidUseException if it is too small
   */
  public ConversionOptions withMemory(long bytes) {
    return toBuilder().memoryBytes(bytes).build();
  }

  /**
   * Sets the limit on decompressed input.
   *
   * @param bytes the maximum total size in temporary files; 0 for the default
   * @return a copy of these options with it
   * @throws InvalidUseException if it is negative
   */
  public ConversionOptions withExpanded(long bytes) {
    return toBuilder().expandedBytes(bytes).build();
  }

  /**
   * Describes the content of a raw input.
   *
   * @param description the description, such as {@code type=<f8,shape=100x200,order=C,offset=0}
   * @return a copy of these options with it
   */
  public ConversionOptions withRaw(String description) {
    return toBuilder().raw(Optional.of(description)).build();
  }

  /**
   * Sets whether the columns of a table become separate datasets.
   *
   * @param newColumns true for one dataset for each column, false for one dataset of a compound
   *     type
   * @return a copy of these options with that
   */
  public ConversionOptions withColumns(boolean newColumns) {
    return toBuilder().columns(newColumns).build();
  }

  /**
   * Sets the layout of arrays of a Zarr output.
   *
   * @param layout the layout, such as {@code shard=4,order=F,separator=/,checksum}: the number of
   *     inner chunks along each dimension of a shard, the order of elements in a chunk, the
   *     separator in chunk keys, and a CRC-32C for each chunk
   * @return a copy of these options with it
   */
  public ConversionOptions withZarr(String layout) {
    return toBuilder().zarr(Optional.of(layout)).build();
  }

  /**
   * Sets the compression of chunks.
   *
   * @param level the level of deflate, from 0, fastest, to 9, smallest
   * @return a copy of these options with it
   * @throws InvalidUseException if there is no such level
   */
  public ConversionOptions withDeflate(int level) {
    return toBuilder().deflate(Optional.of(level)).build();
  }

  /**
   * Sets what separates the cells of a table: of the input if it is a table, else of the output.
   *
   * @param word a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe} or
   *     {@code space}
   * @return a copy of these options with it
   * @throws InvalidUseException if it cannot separate cells
   */
  public ConversionOptions withDelimiter(String word) {
    return toBuilder().delimiter(Optional.of(word)).build();
  }

  /**
   * Sets how a table is read if the input is one, else how it is written.
   *
   * @param newTable the names, marks, units and encoding
   * @return a copy of these options with that
   */
  public ConversionOptions withTable(TableOptions newTable) {
    return toBuilder().table(newTable).build();
  }

  private List<Object> values() {
    return List.of(
        from,
        to,
        path,
        lenient,
        replace,
        memoryBytes,
        expandedBytes,
        raw,
        columns,
        zarr,
        deflate,
        keepIncomplete,
        delimiter,
        table);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConversionOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "ConversionOptions[from="
        + from
        + ", to="
        + to
        + ", path="
        + path
        + ", lenient="
        + lenient
        + ", replace="
        + replace
        + ", memoryBytes="
        + memoryBytes
        + ", expandedBytes="
        + expandedBytes
        + ", raw="
        + raw
        + ", columns="
        + columns
        + ", zarr="
        + zarr
        + ", deflate="
        + deflate
        + ", keepIncomplete="
        + keepIncomplete
        + ", delimiter="
        + delimiter
        + ", table="
        + table
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private Optional<FileKind> from = Optional.empty();
    private Optional<FileKind> to = Optional.empty();
    private String path = "/";
    private boolean lenient;
    private boolean replace;
    private long memoryBytes = 128L << 20;
    private long expandedBytes;
    private Optional<String> raw = Optional.empty();
    private boolean columns;
    private Optional<String> zarr = Optional.empty();
    private Optional<Integer> deflate = Optional.empty();
    private boolean keepIncomplete;
    private Optional<String> delimiter = Optional.empty();
    private TableOptions table = TableOptions.DEFAULT;

    private Builder() {}

    /**
     * Sets the input's format.
     *
     * @param newFrom the input's format; empty to detect it
     * @return this builder
     */
    public Builder from(Optional<FileKind> newFrom) {
      this.from = newFrom;
      return this;
    }

    /**
     * Sets the output's format.
     *
     * @param newTo the output's format; empty to determine it from the name
     * @return this builder
     */
    public Builder to(Optional<FileKind> newTo) {
      this.to = newTo;
      return this;
    }

    /**
     * Sets the group or dataset of an HDF5 input to convert.
     *
     * @param newPath the group or dataset of an HDF5 input to convert; "/" for all
     * @return this builder
     */
    public Builder path(String newPath) {
      this.path = newPath;
      return this;
    }

    /**
     * Sets whether content that the output cannot hold is left out and listed.
     *
     * @param newLenient whether content that the output cannot hold is left out and listed;
     *     otherwise it is an error
     * @return this builder
     */
    public Builder lenient(boolean newLenient) {
      this.lenient = newLenient;
      return this;
    }

    /**
     * Sets whether an existing output is replaced.
     *
     * @param newReplace whether an existing output is replaced; otherwise it is an error
     * @return this builder
     */
    public Builder replace(boolean newReplace) {
      this.replace = newReplace;
      return this;
    }

    /**
     * Sets the maximum total size of blocks of elements in memory, in bytes.
     *
     * @param newMemoryBytes the maximum total size of blocks of elements in memory, in bytes; at
     *     least 64 KiB
     * @return this builder
     */
    public Builder memoryBytes(long newMemoryBytes) {
      this.memoryBytes = newMemoryBytes;
      return this;
    }

    /**
     * Sets the maximum total size of decompressed input in temporary files, in bytes.
     *
     * @param newExpandedBytes the maximum total size of decompressed input in temporary files, in
     *     bytes; 0 for 1 GiB or 200 times the size of the input, whichever is larger
     * @return this builder
     */
    public Builder expandedBytes(long newExpandedBytes) {
      this.expandedBytes = newExpandedBytes;
      return this;
    }

    /**
     * Sets the content of a raw input, as {@code type=<f8,shape=100x200,order=C,offset=0}.
     *
     * @param newRaw the content of a raw input, as {@code type=<f8,shape=100x200,order=C,offset=0}
     * @return this builder
     */
    public Builder raw(Optional<String> newRaw) {
      this.raw = newRaw;
      return this;
    }

    /**
     * Sets whether each column of a table becomes a dataset.
     *
     * @param newColumns whether each column of a table becomes a dataset; otherwise the table
     *     becomes one dataset of a compound type
     * @return this builder
     */
    public Builder columns(boolean newColumns) {
      this.columns = newColumns;
      return this;
    }

    /**
     * Sets the layout of arrays of a Zarr output, as {@code shard=4,order=F,separator=/, checksum}.
     *
     * @param newZarr the layout of arrays of a Zarr output, as {@code shard=4,order=F,separator=/,
     *     checksum}; empty for single chunks in row-major order
     * @return this builder
     */
    public Builder zarr(Optional<String> newZarr) {
      this.zarr = newZarr;
      return this;
    }

    /**
     * Sets the level, 0 to 9, at which chunks of an HDF5, netCDF-4 or Zarr output are compressed
     * with shuffle and deflate, in place of the filters of the input.
     *
     * @param newDeflate the level, 0 to 9, at which chunks of an HDF5, netCDF-4 or Zarr output are
     *     compressed with shuffle and deflate, in place of the filters of the input; empty to keep
     *     these
     * @return this builder
     */
    public Builder deflate(Optional<Integer> newDeflate) {
      this.deflate = newDeflate;
      return this;
    }

    /**
     * Sets whether the output of a conversion that fails is left as far as it was written.
     *
     * @param newKeepIncomplete whether the output of a conversion that fails is left as far as it
     *     was written; otherwise it is removed
     * @return this builder
     */
    public Builder keepIncomplete(boolean newKeepIncomplete) {
      this.keepIncomplete = newKeepIncomplete;
      return this;
    }

    /**
     * Sets what separates the cells of a table, of the input if it is one, else of the output.
     *
     * @param newDelimiter what separates the cells of a table, of the input if it is one, else of
     *     the output: a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe}
     *     or {@code space}; empty to determine it from the content of an input, or from the format
     *     of an output
     * @return this builder
     */
    public Builder delimiter(Optional<String> newDelimiter) {
      this.delimiter = newDelimiter;
      return this;
    }

    /**
     * Sets how a table is read if the input is one, else how it is written.
     *
     * @param newTable how a table is read if the input is one, else how it is written
     * @return this builder
     */
    public Builder table(TableOptions newTable) {
      this.table = newTable;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if one is out of range
     */
    public ConversionOptions build() {
      if (memoryBytes < MIN_MEMORY_BYTES || expandedBytes < 0) {
        throw new InvalidUseException(
            "memory and expanded bytes: actual="
                + memoryBytes
                + " and "
                + expandedBytes
                + ", expected at least "
                + MIN_MEMORY_BYTES
                + " and 0");
      }
      deflate.ifPresent(FilterSpec::deflate); // checks the level
      delimiter.ifPresent(SeparatorWord::of); // checks the word

      return new ConversionOptions(this);
    }
  }
}
