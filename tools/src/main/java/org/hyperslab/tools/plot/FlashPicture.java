package org.hyperslab.tools.plot;

import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;

/**
 * Composes a picture of one variable of a FLASH file from the leaves of its mesh; in three
 * dimensions, of the plane in the middle of the third.
 *
 * <p>Blocks without an extent, as the FLASH I/O benchmark writes them, are placed side by side in
 * the order of the file.
 */
final class FlashPicture {

  private static final int LEAF = 1;

  private final double[] bounds;
  private final int[] types;
  private final int blocks;

  /** Cells of a block: z, y, x. */
  private final long[] cells;

  private final Dataset variable;

  private FlashPicture(H5File file, Dataset variable) {
    this.variable = variable;
    long[] shape = variable.shape();
    try (Dataset boxes = file.dataset("bounding box");
        Dataset nodes = file.dataset("node type")) {
      if (shape.length != 4 || boxes.elementCount() != 6 * shape[0]) {
        throw new InvalidUseException(
            "FLASH variable: actual="
                + Arrays.toString(shape)
                + " with bounding boxes "
                + Arrays.toString(boxes.shape())
                + ", expected=blocks of three dimensions and a box for each, at="
                + variable.path());
      }
      this.blocks = Math.toIntExact(shape[0]);
      this.cells = Arrays.copyOfRange(shape, 1, 4);
      this.bounds = boxes.readDoubles();
      this.types = nodes.readInts();
    }
  }

  /**
   * {@return the picture of a variable}
   *
   * @param file a checkpoint or plot file
   * @param name the variable, such as "dens"
   */
  static PlotGrid of(H5File file, String name) {
    // FLASH pads names to four characters.
    String padded = file.exists(name) ? name : String.format("%-4s", name);
    try (Dataset variable = file.dataset(padded)) {
      FlashPicture picture = new FlashPicture(file, variable);
      return picture.hasExtent() ? picture.combined() : picture.sideBySide();
    }
  }

  private boolean isLeaf(int block) {
    return block >= types.length || types[block] == LEAF;
  }

  private double low(int block, int axis) {
    return bounds[(block * 3 + axis) * 2];
  }

  private double high(int block, int axis) {
    return bounds[(block * 3 + axis) * 2 + 1];
  }

  private boolean hasExtent() {
    for (int block = 0; block < blocks; block++) {
      if (isLeaf(block) && !(high(block, 0) > low(block, 0) && high(block, 1) > low(block, 1))) {
        return false;
      }
    }
    return blocks > 0;
  }

  private PlotGrid combined() {
    double[] from = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    double[] to = {-Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
    double least = Double.MAX_VALUE;
    for (int block = 0; block < blocks; block++) {
      for (int axis = 0; axis < 3; axis++) {
        from[axis] = Math.min(from[axis], low(block, axis));
        to[axis] = Math.max(to[axis], high(block, axis));
      }
      least = Math.min(least, (high(block, 0) - low(block, 0)) / cells[2]);
    }
    double longer = Math.max(to[0] - from[0], to[1] - from[1]);
    double pixel = Math.max(least, longer / PlotGrid.MOST);
    int columns = Math.max(1, (int) Math.round((to[0] - from[0]) / pixel));
    int rows = Math.max(1, (int) Math.round((to[1] - from[1]) / pixel));
    double[] values = new double[rows * columns];
    Arrays.fill(values, Double.NaN);
    // Not exactly the middle, which is an edge of blocks.
    double plane = from[2] + (to[2] - from[2]) * 0.500001;
    for (int block = 0; block < blocks; block++) {
      boolean flat = cells[0] == 1 || !(high(block, 2) > low(block, 2));
      if (isLeaf(block) && (flat || (low(block, 2) <= plane && plane < high(block, 2)))) {
        double depth = flat ? 0 : (plane - low(block, 2)) / (high(block, 2) - low(block, 2));
        double[] layer = layer(block, (long) (depth * cells[0]));
        paint(
            values,
            columns,
            rows,
            layer,
            new double[] {
              (low(block, 0) - from[0]) / pixel, (high(block, 0) - from[0]) / pixel,
              (low(block, 1) - from[1]) / pixel, (high(block, 1) - from[1]) / pixel,
            });
      }
    }
    return new PlotGrid(rows, columns, values);
  }

  /**
   * Paints a block's layer into the pixels whose centres are in its box: x from, to, y from, to.
   */
  private void paint(double[] values, int columns, int rows, double[] layer, double[] box) {
    int width = Math.toIntExact(cells[2]);
    int height = Math.toIntExact(cells[1]);
    int firstRow = Math.max(0, (int) Math.ceil(box[2] - 0.5));
    int firstColumn = Math.max(0, (int) Math.ceil(box[0] - 0.5));
    for (int row = firstRow; row < rows && row + 0.5 < box[3]; row++) {
      int y = (int) ((row + 0.5 - box[2]) / (box[3] - box[2]) * height);
      for (int column = firstColumn; column < columns && column + 0.5 < box[1]; column++) {
        int x = (int) ((column + 0.5 - box[0]) / (box[1] - box[0]) * width);
        values[row * columns + column] = layer[y * width + x];
      }
    }
  }

  private double[] layer(int block, long depth) {
    return variable.slice(block + "," + depth + ",:,:").readDoubles();
  }

  private PlotGrid sideBySide() {
    int width = Math.toIntExact(cells[2]);
    int height = Math.toIntExact(cells[1]);
    int across = (int) Math.ceil(Math.sqrt(blocks));
    int down = (blocks + across - 1) / across;
    int columns = Math.multiplyExact(across, width);
    double[] values = new double[Math.multiplyExact(columns, down * height)];
    Arrays.fill(values, Double.NaN);
    for (int block = 0; block < blocks; block++) {
      double[] layer = layer(block, cells[0] / 2);
      for (int y = 0; y < height; y++) {
        int at = (block / across * height + y) * columns + block % across * width;
        System.arraycopy(layer, y * width, values, at, width);
      }
    }
    return PlotGrid.of(down * height, columns, values);
  }
}
