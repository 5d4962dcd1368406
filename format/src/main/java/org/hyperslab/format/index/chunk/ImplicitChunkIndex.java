package org.hyperslab.format.index.chunk;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.array.ChunkNumbering;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The implicit index, which stores nothing: all chunks of the maximum extent are one allocation, in
 * the order of {@link ChunkNumbering}, and a chunk's address is computed.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.B "Implicit Index"; H5Dnone.c.
 * Iteration visits the chunks of the present extent, because the other chunks exist but have no
 * meaning.
 */
final class ImplicitChunkIndex extends RootedChunkIndex<ChunkIndexSpec.Implicit> {

  private final ChunkNumbering numbering;
  private final long chunkBytes;

  ImplicitChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.Implicit spec, long rootAddress) {
    super(space, grid, spec, rootAddress);
    if (grid.filtered()
        || grid.unlimitedDimensions() > 0
        || !ChunkChecks.plausible(space.geometry(), rootAddress)) {
      throw ChunkChecks.corrupt(
          space,
          "implicit chunk index",
          rootAddress,
          "dataset actual=" + grid + ", expected=no filters and a fixed maximum");
    }
    numbering = new ChunkNumbering(space.geometry().file(), grid);
    chunkBytes = grid.chunkBytes();
    long bytes = numbering.total() * chunkBytes;
    boolean overflow = Math.multiplyHigh(numbering.total(), chunkBytes) != 0 || bytes < 0;
    if (overflow || endsBeyondAddresses(space.geometry(), rootAddress, bytes)) {
      throw new UnsupportedFeatureException(
          "space of all chunks: actual="
              + grid
              + ", expected=below 2^63 bytes, at="
              + space.geometry().file());
    }
  }

  private static boolean endsBeyondAddresses(FileGeometry geometry, long start, long bytes) {
    if (start == FileGeometry.UNDEFINED) {
      return false;
    }
    return geometry.unsignedAddresses()
        ? Long.compareUnsigned(start + bytes, start) < 0
        : bytes > Long.MAX_VALUE - start;
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    long number = numbering.number(scaled);
    return root == FileGeometry.UNDEFINED
        ? ChunkLocation.NONE
        : new ChunkLocation(root + number * chunkBytes, chunkBytes, 0);
  }

  /**
   * Accepts only the place that the chunk has already.
   *
   * @throws InvalidUseException for another place
   */
  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    numbering.number(scaled);
    boolean made = create();
    ChunkLocation place = find(scaled);
    if (!place.equals(location)) {
      throw new InvalidUseException(
          "chunk location: actual="
              + location
              + ", expected="
              + place
              + ", at=implicit chunk index; write the chunk where find says");
    }
    return made;
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    numbering.number(scaled);
    return ChunkLocation.NONE;
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    long[] counts = new long[grid.rank()];
    for (int d = 0; d < counts.length; d++) {
      counts[d] = grid.chunksAlong(d, grid.dims()[d]);
      if (counts[d] == 0) {
        return;
      }
    }
    if (root == FileGeometry.UNDEFINED) {
      return;
    }
    long[] scaled = new long[counts.length];
    while (visitor.visit(scaled, find(scaled))) {
      int d = counts.length - 1;
      while (d >= 0 && ++scaled[d] == counts[d]) {
        scaled[d--] = 0;
      }
      if (d < 0) {
        return;
      }
    }
  }

  @Override
  public boolean create() {
    if (root != FileGeometry.UNDEFINED || numbering.total() == 0) {
      return false;
    }
    root = space.allocate(SpaceKind.RAW_DATA, numbering.total() * chunkBytes);
    return true;
  }

  @Override
  public void delete() {
    if (root != FileGeometry.UNDEFINED) {
      space.free(SpaceKind.RAW_DATA, root, numbering.total() * chunkBytes);
      root = FileGeometry.UNDEFINED;
    }
  }

  @Override
  public boolean ownsChunkSpace() {
    return true;
  }

  @Override
  public long metadataBytes() {
    return 0;
  }
}
