package org.hyperslab.examples.flashio;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;

/**
 * One dataset of the tree or of the grid: the same value for every block.
 *
 * @param name the dataset's name
 * @param type the type of its elements
 * @param perBlock the shape of the values of one block; empty for a single value
 * @param value the value of every element
 */
record FlashField(String name, Datatype type, List<Integer> perBlock, double value) {

  /** Returns the tree and grid datasets of a file. */
  static List<FlashField> tree(FlashFile file) {
    Datatype real = file.isDoublePrecision() ? Datatypes.F64LE : Datatypes.F32LE;
    return List.of(
        new FlashField("refine level", Datatypes.I32LE, List.of(), 1),
        new FlashField("node type", Datatypes.I32LE, List.of(), 1),
        new FlashField("gid", Datatypes.I32LE, List.of(15), -1),
        new FlashField("coordinates", real, List.of(3), 0.25),
        new FlashField("block size", real, List.of(3), 0.5),
        new FlashField("bounding box", real, List.of(3, 2), 0));
  }

  /** Returns the dataset's extent. */
  Dataspace space(FlashMesh mesh) {
    return Dataspace.simple(shape(mesh.totalBlocks()));
  }

  /** Returns a rank's rows. */
  Selection rows(FlashMesh mesh, int rank) {
    long[] start = new long[1 + perBlock.size()];
    start[0] = mesh.firstBlock(rank);
    return Selection.box(start, shape(mesh.blocks(rank)));
  }

  /** Returns a rank's elements, as an array of int or double. */
  Object elements(FlashMesh mesh, int rank) {
    int count =
        Math.toIntExact(Arrays.stream(shape(mesh.blocks(rank))).reduce(1, Math::multiplyExact));
    if (type.equals(Datatypes.I32LE)) {
      int[] elements = new int[count];
      Arrays.fill(elements, (int) value);
      return elements;
    }
    double[] elements = new double[count];
    Arrays.fill(elements, value);
    return elements;
  }

  private long[] shape(int blocks) {
    long[] shape = new long[1 + perBlock.size()];
    shape[0] = blocks;
    for (int i = 0; i < perBlock.size(); i++) {
      shape[i + 1] = perBlock.get(i);
    }
    return shape;
  }
}
