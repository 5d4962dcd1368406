package org.hyperslab.format.index.array;

import java.util.Arrays;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/** Checks that all chunk indexes share, with their error texts. */
public final class ChunkChecks {

  private ChunkChecks() {}

  /** Returns the error for coordinates outside the grid of the maximum extent. */
  public static InvalidUseException outside(long[] scaled, long[] counts) {
    return new InvalidUseException(
        "chunk coordinates: actual="
            + Arrays.toString(scaled)
            + ", expected=within "
            + Arrays.toString(counts)
            + ", at=chunk index; resize the dataset within its maximum extent");
  }

  /**
   * Requires that a cached block has been decoded as this index expects it. If another index has
   * read it before, it may have another layout.
   *
   * @param own whether the block has the layout that this index expects
   */
  public static void own(MetadataSpace space, String structure, long address, boolean own) {
    if (!own) {
      throw notOwn(space, structure, address);
    }
  }

  /**
   * Returns the error for a block that belongs to another index or to another place in this one.
   */
  public static CorruptFileException notOwn(MetadataSpace space, String structure, long address) {
    return corrupt(
        space,
        structure,
        address,
        "block actual=already used elsewhere, expected=a separate block");
  }

  /** Requires coordinates of the right rank that are not negative. */
  public static void coordinates(long[] scaled, int rank) {
    boolean bad = scaled.length != rank;
    for (long coordinate : scaled) {
      bad |= coordinate < 0;
    }
    if (bad) {
      throw new InvalidUseException(
          "chunk coordinates: actual="
              + Arrays.toString(scaled)
              + ", expected="
              + rank
              + " values from 0, at=chunk index");
    }
  }

  /**
   * Requires coordinates of a chunk to be inserted to lie within the maximum extent, if there is
   * one.
   */
  public static void coordinates(long[] scaled, ChunkGrid grid) {
    coordinates(scaled, grid.rank());
    for (int d = 0; d < scaled.length; d++) {
      if (scaled[d] >= grid.maximumChunks(d)) {
        long[] counts = new long[scaled.length];
        Arrays.setAll(counts, grid::maximumChunks);
        throw outside(scaled, counts);
      }
    }
  }

  /**
   * Requires a location that can be inserted: allocated, and without filters exactly the size of a
   * chunk.
   */
  public static void location(ChunkLocation location, ChunkGrid grid) {
    boolean size =
        grid.filtered()
            ? location.storedBytes() >= 0
            : location.storedBytes() == grid.chunkBytes() && location.filterMask() == 0;
    if (location.address() < 0 || !size) {
      throw new InvalidUseException(
          "chunk location: actual="
              + location
              + ", expected=an allocated address and "
              + (grid.filtered()
                  ? "a size from 0"
                  : grid.chunkBytes() + " bytes without filter mask")
              + ", at=chunk index");
    }
  }

  /** Requires that a stored size fits in the index's field of {@code fieldBytes} bytes. */
  public static void fits(long storedBytes, int fieldBytes) {
    if (fieldBytes < 8 && storedBytes >>> (8 * fieldBytes) != 0) {
      throw new UnsupportedFeatureException(
          "stored chunk size: actual="
              + storedBytes
              + ", expected=at most "
              + fieldBytes
              + " bytes in this index, at=chunk index; skip the filter that enlarges the chunk, "
              + "or create the dataset with a newer version bound");
    }
  }

  /** Requires a new extent of the right rank within the maximum. */
  public static void extent(long[] newDims, ChunkGrid grid) {
    boolean bad = newDims.length != grid.rank();
    for (int d = 0; d < newDims.length && !bad; d++) {
      long maximum = grid.maxDims()[d];
      bad = newDims[d] < 0 || (maximum != ChunkGrid.UNLIMITED && newDims[d] > maximum);
    }
    if (bad) {
      throw new InvalidUseException(
          "new extent: actual="
              + Arrays.toString(newDims)
              + ", expected=within "
              + Arrays.toString(grid.maxDims())
              + ", at=chunk index");
    }
  }

  /** Returns the error for a block of an index. */
  public static CorruptFileException corrupt(
      MetadataSpace space, String structure, long address, String problem) {
    return new CorruptFileException(space.geometry().file(), structure, address, problem);
  }

  /** Returns the size of a block, a product that factors from a file must not overflow. */
  static long size(MetadataSpace space, String structure, long count, long each, long more) {
    boolean overflow = Math.multiplyHigh(count, each) != 0 || count * each < 0;
    long bytes = overflow ? -1 : count * each + more;
    if (count < 0 || each < 0 || bytes < 0 || bytes > Integer.MAX_VALUE - 64) {
      throw new CorruptFileException(
          space.geometry().file(),
          structure,
          CorruptFileException.NO_OFFSET,
          "block size actual=" + count + " × " + each + ", expected=below 2 GiB");
    }
    return bytes;
  }

  /** Returns whether an address decoded from a file is possible or undefined. */
  public static boolean plausible(FileGeometry geometry, long address) {
    return address == FileGeometry.UNDEFINED || geometry.isAddress(address);
  }

  /** Returns the address of the part at {@code offset} bytes in a block. */
  public static long address(MetadataSpace space, String structure, long block, long offset) {
    if (block > Long.MAX_VALUE - offset) {
      throw corrupt(space, structure, block, "part actual=at +" + offset + ", expected=below 2^63");
    }
    return block + offset;
  }
}
