package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.Longs;
import org.hyperslab.mpiio.view.FileView;

/**
 * MPI Tile I/O (Parallel I/O Benchmarking Consortium, mpi-tile-io.c): a wall of displays, each rank
 * having the tile of one. Here without overlap, so that every byte is written by one rank.
 *
 * @param tilesX tiles side by side; 0 for as nearly square as the ranks allow
 * @param sizeX elements across a tile
 * @param sizeY elements down a tile
 * @param elementBytes bytes of an element
 */
public record TileIo(int tilesX, int sizeX, int sizeY, int elementBytes) implements IoKernel {

  /** Tiles of 256 by 192 elements of 32 bytes. */
  public static final TileIo DEFAULT = new TileIo(0, 256, 192, 32);

  @Override
  public String name() {
    return "tile-io";
  }

  @Override
  public String describe(int ranks) {
    int across = across(ranks);
    return across
        + " x "
        + ranks / across
        + " tiles of "
        + sizeX
        + " x "
        + sizeY
        + " elements of "
        + elementBytes
        + " bytes";
  }

  private int across(int ranks) {
    int across = tilesX == 0 ? Grids.nearlyCubic(ranks, 2)[1] : tilesX;
    if (ranks % across != 0) {
      throw new InvalidUseException(
          "tiles across: actual=" + across + ", expected=a divisor of " + ranks + " ranks");
    }
    return across;
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    int across = across(ranks);
    long width = (long) across * sizeX;
    long height = (long) ranks / across * sizeY;
    long left = (long) (rank % across) * sizeX;
    long top = (long) (rank / across) * sizeY;
    DerivedType element = DerivedType.contiguous(elementBytes, DerivedType.BYTE);
    DerivedType tile =
        DerivedType.subarray(
            Longs.of(height, width),
            Longs.of(sizeY, sizeX),
            Longs.of(top, left),
            ArrayOrder.C,
            element);
    long row = (long) sizeX * elementBytes;
    return List.of(
        new Access(
            FileView.of(0, element, tile),
            0,
            Access.Memory.dense(row * sizeY),
            piece -> {
              for (int y = 0; y < sizeY; y++) {
                piece.at(((top + y) * width + left) * elementBytes, y * row, row);
              }
            }));
  }

  @Override
  public long fileBytes(int ranks) {
    return (long) ranks * sizeX * sizeY * elementBytes;
  }
}
