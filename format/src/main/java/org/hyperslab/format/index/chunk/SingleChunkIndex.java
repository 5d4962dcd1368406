package org.hyperslab.format.index.chunk;

import java.util.Arrays;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The index of a dataset that is a single chunk and cannot grow: all its data is in the layout
 * message, and the index address is the chunk's own.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.A "Single Chunk Index"; H5Dsingle.c.
 * The message contains size and mask if its flag 0x02 is set, which is the case if the dataset has
 * filters.
 */
final class SingleChunkIndex implements ChunkIndex {

  private ChunkGrid grid;
  private ChunkIndexSpec.Single spec;
  private long address;

  SingleChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.Single spec, long rootAddress) {
    this.grid = grid;
    this.spec = spec;
    this.address = rootAddress;
    if (!ChunkChecks.plausible(space.geometry(), rootAddress) || spec.storedBytes() < 0) {
      throw ChunkChecks.corrupt(
          space, "single chunk index", rootAddress, "location actual=" + rootAddress + " " + spec);
    }
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    check(scaled);
    if (address == FileGeometry.UNDEFINED) {
      return ChunkLocation.NONE;
    }
    return grid.filtered()
        ? new ChunkLocation(address, spec.storedBytes(), spec.filterMask())
        : new ChunkLocation(address, grid.chunkBytes(), 0);
  }

  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    check(scaled);
    ChunkChecks.location(location, grid);
    ChunkIndexSpec.Single next =
        grid.filtered()
            ? new ChunkIndexSpec.Single(location.storedBytes(), location.filterMask())
            : spec;
    boolean changed = address != location.address() || !next.equals(spec);
    address = location.address();
    spec = next;
    return changed;
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    ChunkLocation was = find(scaled);
    forget();
    return was;
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    if (address != FileGeometry.UNDEFINED) {
      long[] origin = new long[grid.rank()];
      visitor.visit(origin, find(origin));
    }
  }

  @Override
  public void extentChanged(long[] newDims) {
    ChunkChecks.extent(newDims, grid);
    grid = grid.withDims(newDims.clone());
  }

  @Override
  public boolean create() {
    return false;
  }

  @Override
  public void delete() {
    forget();
  }

  @Override
  public ChunkGrid grid() {
    return grid;
  }

  @Override
  public long rootAddress() {
    return address;
  }

  @Override
  public ChunkIndexSpec spec() {
    return spec;
  }

  @Override
  public long metadataBytes() {
    return 0;
  }

  private void forget() {
    address = FileGeometry.UNDEFINED;
    spec = new ChunkIndexSpec.Single(0, 0);
  }

  private void check(long[] scaled) {
    boolean bad = scaled.length != grid.rank();
    for (long coordinate : scaled) {
      bad |= coordinate != 0;
    }
    if (bad) {
      long[] ones = new long[grid.rank()];
      Arrays.fill(ones, 1);
      throw ChunkChecks.outside(scaled, ones);
    }
  }
}
