package org.hyperslab.convert.zarr;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * A user's description of the layout of Zarr arrays: {@code shard=4,order=F,separator=/,checksum}.
 *
 * @param shard the number of inner chunks along each dimension of a shard, in version 3; 0 for no
 *     shards
 * @param fortran whether the first dimension varies fastest in a chunk
 * @param separator the separator in chunk keys; empty for the default of the version
 * @param checksum whether each chunk has a CRC-32C, in version 3
 */
record ZarrLayout(int shard, boolean fortran, String separator, boolean checksum) {

  /** The default layout: separate chunks in row-major order. */
  static final ZarrLayout DEFAULT = new ZarrLayout(0, false, "", false);

  private static final int MAX_INNER = 1 << 20;

  /**
   * Parses a description for a version.
   *
   * @throws InvalidUseException if it is malformed, or the version has no such layout
   */
  static ZarrLayout parse(String text, boolean three) {
    int shard = 0;
    boolean fortran = false;
    String separator = "";
    boolean checksum = false;
    for (String part : text.split(",")) {
      switch (part.strip()) {
        case "order=F" -> fortran = true;
        case "order=C" -> fortran = false;
        case "separator=/" -> separator = "/";
        case "separator=." -> separator = ".";
        case "checksum" -> checksum = true;
        case String other when other.matches("shard=[1-9][0-9]{0,6}") ->
            shard = Math.min(MAX_INNER, Integer.parseInt(other.substring(6)));
        default -> throw wrong(text);
      }
    }
    if (!three && (shard > 0 || checksum)) {
      throw new InvalidUseException(
          "layout of Zarr: actual=" + text + " in version 2, expected=shard and checksum in zarr3");
    }
    return new ZarrLayout(shard, fortran, separator, checksum);
  }

  private static InvalidUseException wrong(String text) {
    return new InvalidUseException(
        "layout of Zarr: actual=\""
            + text
            + "\", expected=shard=NUMBER,order=C or F,separator=/ or .,checksum");
  }

  ArrayMetadata.ChunkKeys keys(boolean three) {
    String own = three ? "/" : ".";
    return new ArrayMetadata.ChunkKeys(three, separator.isEmpty() ? own : separator);
  }

  /**
   * Returns the order of dimensions in a chunk: for each encoded dimension, the dimension of the
   * array.
   */
  int[] order(int rank) {
    int[] order = new int[rank];
    Arrays.setAll(order, d -> fortran ? rank - 1 - d : d);
    return order;
  }

  /** Returns whether chunks are put into shards. */
  boolean isSharded(int rank) {
    return shard > 0 && rank > 0;
  }

  /** Returns whether dimensions are stored in a different order. */
  boolean isTransposed(int rank) {
    return fortran && rank > 1;
  }

  /**
   * Returns the shape of a shard: whole chunks, but no more than the array needs.
   *
   * @param chunk the shape of a chunk
   * @param dims the shape of the array
   * @param cut the number of leading dimensions that may be divided
   */
  long[] shard(long[] chunk, long[] dims, int cut) {
    long[] shape = chunk.clone();
    for (int d = 0; d < Math.min(cut, shape.length); d++) {
      long needed = Math.max(1, dims[d] / chunk[d] + (dims[d] % chunk[d] == 0 ? 0 : 1));
      shape[d] = Math.multiplyExact(chunk[d], Math.min(Math.max(1, shard), needed));
    }
    return shape;
  }
}
