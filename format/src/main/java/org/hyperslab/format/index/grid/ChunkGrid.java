package org.hyperslab.format.index.grid;

import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.chunk.ChunkIndex;

/**
 * The division of a dataset into chunks: the properties of a dataset that its chunk index needs.
 *
 * <p>All arrays have one entry per dataset dimension (1 to 32), slowest first, and are not copied,
 * so the caller must not modify them. {@link ChunkIndex#open} checks the values, so that a grid
 * read from a damaged file is reported with the file's name.
 *
 * @param dims the present extent in elements
 * @param maxDims the maximum extent in elements; {@link #UNLIMITED} if a dimension has none
 * @param chunkDims the extent of a chunk in elements, each at least 1
 * @param elementBytes the size of an element in the file, in bytes
 * @param filtered whether the dataset has a filter pipeline with at least one filter. The layout
 *     flag "do not filter partial edge chunks" has no effect here: such chunks are inserted with
 *     the full chunk size and an empty filter mask, and the reader, which knows the flag and the
 *     extent, skips the pipeline for them.
 * @param layoutVersion the version of the data layout message, 1 to 5: up to 3, stored sizes have
 *     32 bits in a version 1 B-tree; in 4, a filtered chunk's size field is one byte wider than the
 *     chunk's own size needs; from 5 on, it has the file's size of lengths
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare contents.
public record ChunkGrid(
    long[] dims,
    long[] maxDims,
    long[] chunkDims,
    int elementBytes,
    boolean filtered,
    int layoutVersion) {

  /** The maximum of a dimension that may grow without limit. */
  public static final long UNLIMITED = -1;

  private static final int MAXIMUM_RANK = 32;

  /** {@return the number of dimensions} */
  public int rank() {
    return chunkDims.length;
  }

  /** {@return the size of a chunk before filters, in bytes} */
  public long chunkBytes() {
    long bytes = elementBytes;
    for (long dim : chunkDims) {
      bytes = Math.multiplyExact(bytes, dim);
    }
    return bytes;
  }

  /** {@return the number of dimensions without a maximum} */
  public int unlimitedDimensions() {
    return (int) Arrays.stream(maxDims).filter(dim -> dim == UNLIMITED).count();
  }

  /** {@return whether extent, maximum and chunk are the same} */
  public boolean isOneFixedChunk() {
    return Arrays.equals(dims, maxDims) && Arrays.equals(dims, chunkDims);
  }

  /**
   * {@return this grid with another present extent}
   *
   * @param newDims the new lengths, slowest dimension first
   */
  public ChunkGrid withDims(long[] newDims) {
    return new ChunkGrid(newDims, maxDims, chunkDims, elementBytes, filtered, layoutVersion);
  }

  /**
   * Returns the number of chunks along one dimension that cover an extent.
   *
   * @param dimension the dimension, 0 for the slowest
   * @param extent the extent in elements
   * @return the number
   */
  public long chunksAlong(int dimension, long extent) {
    return extent == 0 ? 0 : (extent - 1) / chunkDims[dimension] + 1;
  }

  /**
   * Returns the number of chunks along one dimension at the maximum extent; if there is none, the
   * greatest number for which the offset after the last chunk fits in 63 bits.
   *
   * @param dimension the dimension, 0 for the slowest
   * @return the number
   */
  public long maximumChunks(int dimension) {
    long maximum = maxDims[dimension];
    return maximum == UNLIMITED
        ? Long.MAX_VALUE / chunkDims[dimension] - 1
        : chunksAlong(dimension, maximum);
  }

  /**
   * Requires values that a dataset can have.
   *
   * @param file the name of the file, for the message
   */
  public void check(String file) {
    int rank = chunkDims.length;
    if (rank < 1 || rank > MAXIMUM_RANK || dims.length != rank || maxDims.length != rank) {
      throw corrupt(
          file,
          "rank actual="
              + rank
              + ", expected="
              + dims.length
              + " (1..32, as in the "
              + "dataspace)");
    }
    if (elementBytes < 1) {
      throw corrupt(file, "element size actual=" + elementBytes + ", expected=at least 1");
    }
    long bytes = elementBytes;
    for (int d = 0; d < rank; d++) {
      boolean within = maxDims[d] == UNLIMITED || dims[d] <= maxDims[d];
      if (chunkDims[d] < 1 || dims[d] < 0 || maxDims[d] < UNLIMITED || !within) {
        throw corrupt(
            file,
            "dimension "
                + d
                + " actual extent="
                + dims[d]
                + " maximum="
                + maxDims[d]
                + " chunk="
                + chunkDims[d]
                + ", expected=extent 0..maximum and chunk at least 1");
      }
      if (Math.multiplyHigh(bytes, chunkDims[d]) != 0 || bytes * chunkDims[d] < 0) {
        throw corrupt(
            file,
            "chunk bytes actual="
                + elementBytes
                + " × "
                + Arrays.toString(chunkDims)
                + ", expected=below 2^63");
      }
      bytes *= chunkDims[d];
    }
  }

  private static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(
        file, "chunked data layout", CorruptFileException.NO_OFFSET, problem);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChunkGrid that
        && Arrays.equals(dims, that.dims)
        && Arrays.equals(maxDims, that.maxDims)
        && Arrays.equals(chunkDims, that.chunkDims)
        && elementBytes == that.elementBytes
        && filtered == that.filtered
        && layoutVersion == that.layoutVersion;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(dims) + Arrays.hashCode(chunkDims);
  }

  @Override
  public String toString() {
    return "ChunkGrid[dims="
        + Arrays.toString(dims)
        + ", maxDims="
        + Arrays.toString(maxDims)
        + ", chunkDims="
        + Arrays.toString(chunkDims)
        + ", elementBytes="
        + elementBytes
        + (filtered ? ", filtered" : "")
        + ", layoutVersion="
        + layoutVersion
        + "]";
  }
}
