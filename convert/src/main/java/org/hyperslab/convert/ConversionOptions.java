package org.hyperslab.convert;

import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * The options of a conversion.
 *
 * @param from the input's kind; empty to find it out
 * @param to the output's kind; empty to take it from the name
 * @param path the group or dataset of an HDF5 input to convert; "/" for all
 * @param lenient whether what the output cannot hold is left out and listed; it is an error
 *     otherwise
 * @param replace whether an output that exists is replaced; it is an error otherwise
 * @param memoryBytes bytes that blocks of elements may take together, from 64 KiB
 * @param expandedBytes bytes that compressed input may expand to in temporary files; 0 for the
 *     larger of 1 GiB and 200 times the input
 * @param raw what a raw input holds, as {@code type=<f8,shape=100x200,order=C,offset=0}
 * @param columns whether each column of a table becomes a dataset; otherwise the table becomes one
 *     of a compound type
 * @param zarr how arrays of a Zarr output are laid out, as {@code shard=4,order=F,separator=/,
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

  /** Kinds found out, everything converted, nothing left out or replaced, 128 MiB. */
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

  private static final long LEAST_MEMORY_BYTES = 64 << 10;

  /**
   * Checks the numbers.
   *
   * @throws InvalidUseException if one is out of range
   */
  public ConversionOptions {
    if (memoryBytes < LEAST_MEMORY_BYTES || expandedBytes < 0) {
      throw new InvalidUseException(
          "memory and expanded bytes: actual="
              + memoryBytes
              + " and "
              + expandedBytes
              + ", expected at least "
              + LEAST_MEMORY_BYTES
              + " and 0");
    }
  }

  /**
   * Sets the kinds.
   *
   * @param newFrom the input's kind
   * @param newTo the output's kind
   * @return these options with them
   */
  public ConversionOptions withKinds(FileKind newFrom, FileKind newTo) {
    return new ConversionOptions(
        Optional.of(newFrom),
        Optional.of(newTo),
        path,
        lenient,
        replace,
        memoryBytes,
        expandedBytes,
        raw,
        columns,
        zarr);
  }

  /**
   * Sets whether what the output cannot hold is left out.
   *
   * @param newLenient true to list it, false to refuse it
   * @return these options with that
   */
  public ConversionOptions withLenient(boolean newLenient) {
    return new ConversionOptions(
        from, to, path, newLenient, replace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets whether an output that exists is replaced.
   *
   * @param newReplace true to replace it
   * @return these options with that
   */
  public ConversionOptions withReplace(boolean newReplace) {
    return new ConversionOptions(
        from, to, path, lenient, newReplace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets the bound on memory.
   *
   * @param bytes that blocks of elements may take together
   * @return these options with it
   */
  public ConversionOptions withMemory(long bytes) {
    return new ConversionOptions(
        from, to, path, lenient, replace, bytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets what part of an HDF5 input is converted.
   *
   * @param newPath a group or dataset
   * @return these options with it
   */
  public ConversionOptions withPath(String newPath) {
    return new ConversionOptions(
        from, to, newPath, lenient, replace, memoryBytes, expandedBytes, raw, columns, zarr);
  }

  /**
   * Sets what a raw input holds.
   *
   * @param description as {@code type=<f8,shape=100x200,order=C,offset=0}
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
   * Sets what a table becomes.
   *
   * @param newColumns true for a dataset for each column
   * @return these options with that
   */
  public ConversionOptions withColumns(boolean newColumns) {
    return new ConversionOptions(
        from, to, path, lenient, replace, memoryBytes, expandedBytes, raw, newColumns, zarr);
  }

  /**
   * Sets how arrays of a Zarr output are laid out.
   *
   * @param layout as {@code shard=4,order=F,separator=/,checksum}: inner chunks along each
   *     dimension of a shard, the order of elements in a chunk, what separates numbers in names of
   *     chunks, a CRC-32C for each chunk
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
