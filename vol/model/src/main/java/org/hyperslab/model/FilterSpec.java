package org.hyperslab.model;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * One filter of a chunked dataset, in the order in which filters are applied on write.
 *
 * @param id the registered filter number, 1 to 65535
 * @param optional whether a chunk is stored without it when it fails
 * @param name the name stored in the file; empty for the one that the filter is known by
 * @param parameters client data; empty lets the filter choose from the dataset's type and chunk
 *     shape
 */
public record FilterSpec(int id, boolean optional, String name, List<Integer> parameters) {

  /** Copies the parameters. */
  public FilterSpec {
    parameters = List.copyOf(parameters);
  }

  /** The coders with which Blosc compresses its blocks. */
  public enum BloscCodec {
    /** BloscLZ, Blosc's own. */
    BLOSCLZ,
    /** The LZ4 block compressor. */
    LZ4,
    /** LZ4, slower and smaller. */
    LZ4HC,
    /** The Snappy compressor, in its raw form. */
    SNAPPY,
    /** The deflate compressor of zlib. */
    ZLIB,
    /** The Zstandard compressor. */
    ZSTD
  }

  /**
   * Returns the deflate (gzip) filter.
   *
   * @param level from 0, fastest, to 9, smallest
   * @return the filter
   * @throws InvalidUseException if the level is another
   */
  public static FilterSpec deflate(int level) {
    requireLevel("deflate", level, 0, 9);
    return new FilterSpec(1, true, "deflate", List.of(level));
  }

  /**
   * Returns the byte shuffle filter.
   *
   * @return the filter
   */
  public static FilterSpec shuffle() {
    return new FilterSpec(2, true, "shuffle", List.of());
  }

  /**
   * Returns the filter that adds a Fletcher-32 checksum to each chunk.
   *
   * @return the filter
   */
  public static FilterSpec fletcher32() {
    return new FilterSpec(3, false, "fletcher32", List.of());
  }

  /**
   * Returns the Zstandard filter (registered filter 32015). HDF5 needs a plugin to read it.
   *
   * @param level from 1, fastest, to 22, smallest
   * @return the filter
   * @throws InvalidUseException if the level is another
   */
  public static FilterSpec zstd(int level) {
    requireLevel("zstd", level, 1, 22);
    return new FilterSpec(32015, true, "zstd", List.of(level));
  }

  /**
   * Returns the LZ4 filter (registered filter 32004). HDF5 needs a plugin to read it.
   *
   * @return the filter
   */
  public static FilterSpec lz4() {
    return new FilterSpec(32004, true, "lz4", List.of());
  }

  /**
   * Returns the LZF filter (registered filter 32000), which is part of h5py.
   *
   * @return the filter
   */
  public static FilterSpec lzf() {
    return new FilterSpec(32000, true, "lzf", List.of());
  }

  /**
   * Returns the Blosc filter with byte shuffle (registered filter 32001). HDF5 needs a plugin to
   * read it.
   *
   * @param codec the coder of the blocks
   * @param level from 0, which stores, to 9, smallest
   * @return the filter
   * @throws InvalidUseException if the level is another
   */
  public static FilterSpec blosc(BloscCodec codec, int level) {
    requireLevel("blosc", level, 0, 9);
    return new FilterSpec(32001, true, "blosc", List.of(0, 0, 0, 0, level, 1, codec.ordinal()));
  }

  private static void requireLevel(String filter, int level, int least, int most) {
    if (level < least || level > most) {
      throw new InvalidUseException(
          filter + " level: actual=" + level + ", expected=" + least + ".." + most);
    }
  }

  /**
   * Returns a filter by its registered number.
   *
   * @param id the filter's registered number
   * @param parameters the client data values
   * @return the filter
   */
  public static FilterSpec of(int id, Integer... parameters) {
    return new FilterSpec(id, false, "", List.of(parameters));
  }
}
