package org.hyperslab.format.index.array;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The format of one chunk's element in an array index: its address and, if the dataset has filters,
 * its size and filter mask.
 *
 * <pre>
 *   without filters (client 0)     with filters (client 1)
 *   address  size of offsets       address     size of offsets
 *                                  size        sizeFieldBytes
 *                                  filter mask 4
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification 3.0, sections VII.C and VII.D, "Data Block Element".
 *
 * @param filtered whether size and mask are stored
 * @param sizeFieldBytes the width of the size field in bytes, 1 to 8; 0 without filters
 * @param elementBytes the size of an element in bytes
 * @param chunkBytes the size of every unfiltered chunk in bytes
 */
public record ChunkElementFormat(
    boolean filtered, int sizeFieldBytes, int elementBytes, long chunkBytes) {

  private static final int FILTER_MASK_BYTES = 4;

  /** Returns the format for a new index. */
  public static ChunkElementFormat forNew(FileGeometry geometry, ChunkGrid grid) {
    int size = grid.filtered() ? sizeFieldBytes(geometry, grid) : 0;
    int element = geometry.sizeOfOffsets() + (grid.filtered() ? size + FILTER_MASK_BYTES : 0);
    return new ChunkElementFormat(grid.filtered(), size, element, grid.chunkBytes());
  }

  /**
   * Returns the width in bytes of the field in which a new index stores a filtered chunk's size. It
   * is one byte more than the unfiltered size needs, at most 8; from layout version 5 on, the
   * file's size of lengths.
   */
  public static int sizeFieldBytes(FileGeometry geometry, ChunkGrid grid) {
    if (grid.layoutVersion() >= 5) {
      return geometry.sizeOfLengths();
    }
    int log2 = 63 - Long.numberOfLeadingZeros(grid.chunkBytes());
    return Math.min(8, 1 + (log2 + 8) / 8);
  }

  /**
   * Returns the format stated by an existing array's header.
   *
   * @param client 0 without filters, 1 with
   * @param elementBytes the header's element size
   * @throws CorruptFileException if the two contradict each other or the dataset's pipeline
   */
  static ChunkElementFormat ofHeader(
      MetadataSpace space, ChunkGrid grid, String structure, int client, int elementBytes) {
    if (client != (grid.filtered() ? 1 : 0)) {
      throw ChunkChecks.corrupt(
          space,
          structure,
          CorruptFileException.NO_OFFSET,
          "client actual=" + client + ", expected=" + (grid.filtered() ? "1 (filtered)" : "0"));
    }
    int address = space.geometry().sizeOfOffsets();
    int size = grid.filtered() ? elementBytes - address - FILTER_MASK_BYTES : 0;
    boolean fits = grid.filtered() ? size >= 1 && size <= 8 : elementBytes == address;
    if (!fits) {
      throw ChunkChecks.corrupt(
          space,
          structure,
          CorruptFileException.NO_OFFSET,
          "element size actual="
              + elementBytes
              + ", expected=address of "
              + address
              + (grid.filtered() ? " bytes, size of 1..8 and mask of 4" : " bytes"));
    }
    return new ChunkElementFormat(grid.filtered(), size, elementBytes, grid.chunkBytes());
  }

  /** Returns whether an array with such elements can be the index of a dataset. */
  public boolean suits(ChunkGrid grid) {
    return filtered == grid.filtered() && chunkBytes == grid.chunkBytes();
  }

  /** Returns the client id: 1 with filters, otherwise 0. */
  int client() {
    return filtered ? 1 : 0;
  }
}
