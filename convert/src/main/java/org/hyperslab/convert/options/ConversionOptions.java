package org.hyperslab.convert.options;

import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;

/**
 * The options of a conversion.
 *
 * @param from the input's format; empty to detect it
 * @param to the output's format; empty to determine it from the name
 * @param path the group or dataset of an HDF5 input to convert; "/" for all
 * @param lenient whether content that the output cannot hold is left out and listed; otherwise it
 *     is an error
 * @param replace whether an existing output is replaced; otherwise it is an error
 * @param memoryBytes the maximum total size of blocks of elements in memory, in bytes; at least 64
 *     KiB
 * @param expandedBytes the maximum total size of decompressed input in temporary files, in bytes; 0
 *     for 1 GiB or 200 times the size of the input, whichever is larger
 * @param raw the content of a raw input, as {@code type=<f8,shape=100x200,order=C,offset=0}
 * @param columns whether each column of a table becomes a dataset; otherwise the table becomes one
 *     dataset of a compound type
 * @param zarr the layout of arrays of a Zarr output, as {@code shard=4,order=F,separator=/,
 *     checksum}; empty for single chunks in row-major order
 * @param deflate the level, 0 to 9, at which chunks of an HDF5, netCDF-4 or Zarr output are
 *     compressed with shuffle and deflate, in place of the filters of the input; empty to keep
 *     these
 * @param keepIncomplete whether the output of a conversion that fails is left as far as it was
 *     written; otherwise it is removed
 * @param delimiter what separates the cells of a table, of the input if it is one, else of the
 *     output: a character, or {@code comma}, {@code semicolon}, {@code tab}, {@code pipe} or {@code
 *     space}; empty to determine it from the content of an input, or from the format of an output
 * @param table how a table is read if the input is one, else how it is written
 */
public record ConversionOptions(
    Optional<FileKind> from,
    Optional<FileKind> to,
    String path,
    boolean lenient,
    boolean replace,
    long memoryBytes,
    long expandedBytes,
    Optional<String> raw,
    boolean columns,
    Optional<String> zarr,
    Optional<Integer> deflate,
    boolean keepIncomplete,
    Optional<String> delimiter,
    TableOptions table) {

  /**
   * The default options: formats are detected, everything is converted, nothing is left out or
   * replaced, and blocks take at most 128 MiB.
   */
  public static final ConversionOptions DEFAULT =
      new ConversionOptions(
          Optional.empty(),
          Optional.empty(),
          "/",
          false,
          false,
          128L << 20,
          0,
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          TableOptions.DEFAULT);

  private static final long MIN_MEMORY_BYTES = 64 << 10;

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is out of range
   */
  public ConversionOptions {
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
    return changed(draft -> draft.from = given);
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
    return changed(draft -> draft.to = given);
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
    return changed(draft -> draft.path = newPath);
  }

  /**
   * Sets whether content that the output cannot hold is left out.
   *
   * @param newLenient true to leave it out and list it, false to fail
   * @return a copy of these options with that
   */
  public ConversionOptions withLenient(boolean newLenient) {
    return changed(draft -> draft.lenient = newLenient);
  }

  /**
   * Sets whether an existing output is replaced.
   *
   * @param newReplace true to replace it, false to fail
   * @return a copy of these options with that
   */
  public ConversionOptions withReplace(boolean newReplace) {
    return changed(draft -> draft.replace = newReplace);
  }

  /**
   * Sets whether the output of a conversion that fails is left as far as it was written.
   *
   * @param newKeep true to leave it, false to remove it
   * @return a copy of these options with that
   */
  public ConversionOptions withKeepIncomplete(boolean newKeep) {
    return changed(draft -> draft.keepIncomplete = newKeep);
  }

  /**
   * Sets the limit on memory.
   *
   * @param bytes the maximum total size of blocks of elements in memory
   * @return a copy of these options with it
   * @throws InvalidUseException if it is too small
   */
  public ConversionOptions withMemory(long bytes) {
    return changed(draft -> draft.memoryBytes = bytes);
  }

  /**
   * Sets the limit on decompressed input.
   *
   * @param bytes the maximum total size in temporary files; 0 for the default
   * @return a copy of these options with it
   * @throws InvalidUseException if it is negative
   */
  public ConversionOptions withExpanded(long bytes) {
    return changed(draft -> draft.expandedBytes = bytes);
  }

  /**
   * Describes the content of a raw input.
   *
   * @param description the description, such as {@code type=<f8,shape=100x200,order=C,offset=0}
   * @return a copy of these options with it
   */
  public ConversionOptions withRaw(String description) {
    return changed(draft -> draft.raw = Optional.of(description));
  }

  /**
   * Sets whether the columns of a table become separate datasets.
   *
   * @param newColumns true for one dataset for each column, false for one dataset of a compound
   *     type
   * @return a copy of these options with that
   */
  public ConversionOptions withColumns(boolean newColumns) {
    return changed(draft -> draft.columns = newColumns);
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
    return changed(draft -> draft.zarr = Optional.of(layout));
  }

  /**
   * Sets the compression of chunks.
   *
   * @param level the level of deflate, from 0, fastest, to 9, smallest
   * @return a copy of these options with it
   * @throws InvalidUseException if there is no such level
   */
  public ConversionOptions withDeflate(int level) {
    return changed(draft -> draft.deflate = Optional.of(level));
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
    return changed(draft -> draft.delimiter = Optional.of(word));
  }

  /**
   * Sets how a table is read if the input is one, else how it is written.
   *
   * @param newTable the names, marks, units and encoding
   * @return a copy of these options with that
   */
  public ConversionOptions withTable(TableOptions newTable) {
    return changed(draft -> draft.table = newTable);
  }

  private ConversionOptions changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** The options while one of them is changed. */
  private static final class Draft {
    private Optional<FileKind> from;
    private Optional<FileKind> to;
    private String path;
    private boolean lenient;
    private boolean replace;
    private long memoryBytes;
    private long expandedBytes;
    private Optional<String> raw;
    private boolean columns;
    private Optional<String> zarr;
    private Optional<Integer> deflate;
    private boolean keepIncomplete;
    private Optional<String> delimiter;
    private TableOptions table;

    Draft(ConversionOptions now) {
      from = now.from;
      to = now.to;
      path = now.path;
      lenient = now.lenient;
      replace = now.replace;
      memoryBytes = now.memoryBytes;
      expandedBytes = now.expandedBytes;
      raw = now.raw;
      columns = now.columns;
      zarr = now.zarr;
      deflate = now.deflate;
      keepIncomplete = now.keepIncomplete;
      delimiter = now.delimiter;
      table = now.table;
    }

    ConversionOptions options() {
      return new ConversionOptions(
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
  }
}
