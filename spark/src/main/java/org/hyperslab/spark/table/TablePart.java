package org.hyperslab.spark.table;

import java.io.Serializable;
import java.util.List;

/**
 * The part of a table that one file has: its dimensions and how its elements are divided.
 *
 * @param file the path or URI
 * @param stamp what the file had when it was looked at
 * @param axes the dimensions, slowest first
 * @param chunk the lengths of a chunk, slowest dimension first; of elements that are not chunked,
 *     the extent
 * @param isChunked whether chunks are stored each for itself
 * @param summarized whether each variable is of plain numbers of which the file keeps statistics
 * @param sparse what a sparse matrix has; null for datasets
 */
public record TablePart(
    String file,
    OpenSource.Stamp stamp,
    List<Axis> axes,
    List<Long> chunk,
    boolean isChunked,
    List<Boolean> summarized,
    Sparse sparse)
    implements Serializable {

  /**
   * A sparse matrix as anndata stores it.
   *
   * @param group the path of its group
   * @param major the dimension whose elements lie together: 0 of CSR, 1 of CSC
   * @param stored the number of stored elements
   */
  public record Sparse(String group, int major, long stored) implements Serializable {}

  /** Copies the lists. */
  public TablePart {
    axes = List.copyOf(axes);
    chunk = List.copyOf(chunk);
    summarized = List.copyOf(summarized);
  }

  /** {@return the number of elements} */
  public long rows() {
    return axes.stream().mapToLong(Axis::length).reduce(1, Math::multiplyExact);
  }
}
