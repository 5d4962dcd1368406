package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.file.FileView;

/**
 * MPI Tile I/O (Parallel I/O Benchmarking Consortium, mpi-tile-io.c): a wall of displays with one
 * tile for each rank. Tiles may share elements at their edges, which several ranks then write; the
 * first rank writes a header, if there is one.
 *
 * @param tilesX the number of tiles across; 0 for as nearly square as the ranks allow
 * @param sizeX elements across a tile
 * @param sizeY elements down a tile
 * @param elementBytes bytes of an element
 * @param extras overlap, header, order of ranks, grid
 */
public record TileIo(int tilesX, int sizeX, int sizeY, int elementBytes, Extras extras)
    implements IoKernel {

  /**
   * Further properties of the tiles.
   *
   * @param overlapX the elements that horizontal neighbours share
   * @param overlapY the elements that vertical neighbours share
   * @param headerBytes the bytes of the header before the tiles
   * @param columns whether ranks are numbered down the columns of the grid of tiles, instead of
   *     along its rows
   * @param gridded whether the ranks' communicator is a grid of tiles, which libraries use to
   *     choose aggregators
   */
  public record Extras(
      int overlapX, int overlapY, int headerBytes, boolean columns, boolean gridded) {

    /** No overlap, no header, ranks along the rows, no grid. */
    public static final Extras NONE = new Extras(0, 0, 0, false, false);
  }

  /** Checks that tiles are larger than their overlaps. */
  public TileIo {
    boolean sound =
        sizeX > extras.overlapX
            && sizeY > extras.overlapY
            && Math.min(extras.overlapX, extras.overlapY) >= 0
            && extras.headerBytes >= 0;
    if (!sound) {
      throw new InvalidUseException(
          "tiles: actual="
              + extras
              + ", expected=overlaps from 0 to below a tile, a header from 0");
    }
  }

  /**
   * Creates tiles without overlap or header.
   *
   * @param tilesX the number of tiles across; 0 for as nearly square as the ranks allow
   * @param sizeX elements across a tile
   * @param sizeY elements down a tile
   * @param elementBytes bytes of an element
   */
  public TileIo(int tilesX, int sizeX, int sizeY, int elementBytes) {
    this(tilesX, sizeX, sizeY, elementBytes, Extras.NONE);
  }

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
    int down = ranks / across;
    long[] shape = {height(down), width(across)};
    int column = extras.columns ? rank / down : rank % across;
    int row = extras.columns ? rank % down : rank / across;
    long[] start = {
      (long) row * (sizeY - extras.overlapY), (long) column * (sizeX - extras.overlapX)
    };
    Access tile =
        Blocks.of(extras.headerBytes, shape, start, new long[] {sizeY, sizeX}, elementBytes);
    return extras.headerBytes == 0 ? List.of(tile) : List.of(header(rank), tile);
  }

  private Access header(int rank) {
    long length = rank == 0 ? extras.headerBytes : 0;
    return new Access(
        FileView.bytes(), 0, Access.Memory.dense(length), piece -> piece.at(0, 0, length));
  }

  private long width(int across) {
    return (long) across * (sizeX - extras.overlapX) + extras.overlapX;
  }

  private long height(int down) {
    return (long) down * (sizeY - extras.overlapY) + extras.overlapY;
  }

  @Override
  public List<Integer> arrangement(int ranks) {
    int across = across(ranks);
    int down = ranks / across;
    return !extras.gridded
        ? List.of()
        : extras.columns ? List.of(across, down) : List.of(down, across);
  }

  @Override
  public long fileBytes(int ranks) {
    int across = across(ranks);
    return extras.headerBytes + width(across) * height(ranks / across) * elementBytes;
  }
}
