package org.hyperslab.convert;

import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

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
    Optional<String> zarr) {

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
          Optional.empty());

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
    return withFormats(Optional.of(requireKind("input", kind)), to);
  }

  /**
   * Sets the format of the output instead of detecting it from the name.
   *
   * @param kind the output's format
   * @return a copy of these options with this format
   * @throws InvalidUseException if it is null
   */
  public ConversionOptions withTo(FileKind kind) {
    return withFormats(from, Optional.of(requireKind("output", kind)));
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

  private ConversionOptions withFormats(Optional<FileKind> newFrom, Optional<FileKind> newTo) {
    return new ConversionOptions(
        newFrom, newTo, path, lenient, replace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets whether content that the output cannot hold is left out.
   *
   * @param newLenient true to leave it out and list it, false to fail
   * @return these options with that
   */
  public ConversionOptions withLenient(boolean newLenient) {
    return new ConversionOptions(
        from, to, path, newLenient, replace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets whether an existing output is replaced.
   *
   * @param newReplace true to replace it, false to fail
   * @return these options with that
   */
  public ConversionOptions withReplace(boolean newReplace) {
    return new ConversionOptions(
        from, to, path, lenient, newReplace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets the limit on memory.
   *
   * @param bytes the maximum total size of blocks of elements in memory
   * @return these options with it
   */
  public ConversionOptions withMemory(long bytes) {
    return new ConversionOptions(
        from, to, path, lenient, replace, bytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets the part of an HDF5 input to convert.
   *
   * @param newPath a group or dataset
   * @return these options with it
   */
  public ConversionOptions withPath(String newPath) {
    return new ConversionOptions(
        from, to, newPath, lenient, replace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Describes the content of a raw input.
   *
   * @param description the description, such as {@code type=<f8,shape=100x200,order=C,offset=0}
   * @return these options with it
   */
  public ConversionOptions withRaw(String description) {
    return new ConversionOptions(
        from,
        to,
        path,
        lenient,
        replace,
        memoryBytes,
        expandedBytes,
        Optional.of(description),
        columns,
        zarr);
  }

  /**
   * Sets whether the columns of a table become separate datasets.
   *
   * @param newColumns true for one dataset for each column, false for one dataset of a compound
   *     type
   * @return these options with that
   */
  public ConversionOptions withColumns(boolean newColumns) {
    return new ConversionOptions(
        from, to, path, lenient, replace, memoryBytes, expandedBytes, raw, newColumns, zarr);
  }

  /**
   * Sets the layout of arrays of a Zarr output.
   *
   * @param layout the layout, such as {@code shard=4,order=F,separator=/,checksum}: the number of
   *     inner chunks along each dimension of a shard, the order of elements in a chunk, the
   *     separator in chunk keys, and a CRC-32C for each chunk
   * @return these options with it
   */
  public ConversionOptions withZarr(String layout) {
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
        Optional.of(layout));
  }
}
