package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.TileIo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** MPI Tile I/O. */
@Command(
    name = "tile-io",
    description = "MPI Tile I/O: a wall of displays, one tile for each rank.",
    mixinStandardHelpOptions = true)
final class TileIoCommand extends KernelCommand {

  @Option(
      names = "--tiles-x",
      paramLabel = "N",
      defaultValue = "0",
      description = "tiles across and down (default: as nearly square as possible)")
  private int tilesX;

  @Option(
      names = "--size-x",
      paramLabel = "N",
      defaultValue = "256",
      description = "elements across a tile (default: ${DEFAULT-VALUE})")
  private int sizeX;

  @Option(
      names = "--size-y",
      paramLabel = "N",
      defaultValue = "192",
      description = "elements down a tile (default: ${DEFAULT-VALUE})")
  private int sizeY;

  @Option(
      names = "--element",
      paramLabel = "BYTES",
      defaultValue = "32",
      description = "bytes of an element (default: ${DEFAULT-VALUE})")
  private int elementBytes;

  @Option(
      names = "--overlap",
      paramLabel = "X,Y",
      split = ",",
      arity = "1",
      defaultValue = "0,0",
      description = "elements that neighbours share, across and down (default: ${DEFAULT-VALUE})")
  private int[] overlap;

  @Option(
      names = "--header",
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "bytes of the file header before the tiles (default: ${DEFAULT-VALUE})")
  private int headerBytes;

  @Option(names = "--columns", description = "numbers ranks down the columns of the wall")
  private boolean columns;

  @Option(
      names = "--grid",
      description =
          "gives the ranks' communicator the grid of tiles, whose rows hyperslab_aggregators=ompio"
              + " and Open MPI's library use as groups")
  private boolean gridded;

  /**
   * Creates the command.
   *
   * @param out where results go
   */
  TileIoCommand(PrintStream out) {
    super(out);
  }

  @Override
  public IoKernel kernel() {
    int down = overlap.length > 1 ? overlap[1] : overlap[0];
    TileIo.Extras extras = new TileIo.Extras(overlap[0], down, headerBytes, columns, gridded);
    return new TileIo(tilesX, sizeX, sizeY, elementBytes, extras);
  }
}
