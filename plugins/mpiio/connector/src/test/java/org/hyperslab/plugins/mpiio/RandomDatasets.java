package org.hyperslab.plugins.mpiio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;

/** Generates random datasets, and random divisions of their elements among ranks. */
final class RandomDatasets {

  private RandomDatasets() {}

  /** A dataset that is about to be created. */
  record Made(String name, Datatype type, Dataspace space, DatasetOptions options) {
    boolean isExtendible() {
      return space.isExtendible();
    }
  }

  static Made dataset(Random random, int number) {
    int rank = 1 + random.nextInt(3);
    long[] dims = new long[rank];
    for (int d = 0; d < rank; d++) {
      dims[d] = 1 + random.nextInt(rank == 1 ? 200 : 16);
    }
    Datatype[] types = {
      Datatypes.I32LE, Datatypes.I32BE, Datatypes.I64LE, Datatypes.I16LE, Datatypes.F64LE
    };
    Datatype type = types[random.nextInt(types.length)];
    DatasetOptions.Builder options = DatasetOptions.builder();
    long[] maximum = dims.clone();
    switch (random.nextInt(6)) {
      case 0 -> options.layout(new Layout.Contiguous());
      case 1 -> options.layout(new Layout.Compact());
      default -> chunks(random, dims, maximum, options);
    }
    return new Made("d" + number, type, Dataspace.simple(dims.clone(), maximum), options.build());
  }

  private static void chunks(
      Random random, long[] dims, long[] maximum, DatasetOptions.Builder options) {
    long[] chunk = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      chunk[d] = 1 + random.nextInt((int) Math.min(8, dims[d]));
      if (random.nextInt(3) == 0) {
        maximum[d] = Dataspace.UNLIMITED;
      }
    }
    if (random.nextInt(8) == 0) {
      System.arraycopy(dims, 0, chunk, 0, dims.length);
    }
    boolean filterEdges = random.nextInt(4) > 0;
    options.layout(new Layout.Chunked(Arrays.stream(chunk).boxed().toList(), filterEdges));
    switch (random.nextInt(4)) {
      case 0 -> options.deflate(1 + random.nextInt(6));
      case 1 -> options.shuffle().deflate(4).fletcher32();
      default -> {}
    }
  }

  /** For each rank a selection, none of which shares an element with another. */
  static List<Selection> shares(Random random, long[] extent, int ranks) {
    return switch (random.nextInt(4)) {
      case 0 -> striped(random, extent, ranks);
      case 1 -> points(random, extent, ranks);
      case 2 -> slabs(random, extent, ranks);
      default -> scattered(random, extent, ranks);
    };
  }

  /** Assigns the indices of one dimension to the ranks in turn. */
  private static List<Selection> striped(Random random, long[] extent, int ranks) {
    int along = random.nextInt(extent.length);
    List<Selection> shares = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      long[] start = new long[extent.length];
      long[] stride = new long[extent.length];
      Arrays.fill(stride, 1);
      long[] count = extent.clone();
      long[] block = new long[extent.length];
      Arrays.fill(block, 1);
      start[along] = rank;
      stride[along] = ranks;
      count[along] = rank < extent[along] ? Math.ceilDiv(extent[along] - rank, ranks) : 0;
      shares.add(
          count[along] == 0 ? Selection.none() : Selection.hyperslab(start, stride, count, block));
    }
    return shares;
  }

  /** Consecutive indices of the slowest dimension; one rank may have none. */
  private static List<Selection> slabs(Random random, long[] extent, int ranks) {
    List<Selection> shares = new ArrayList<>();
    long at = 0;
    for (int rank = 0; rank < ranks; rank++) {
      long length = rank == ranks - 1 ? extent[0] - at : random.nextLong(extent[0] - at + 1);
      long[] start = new long[extent.length];
      long[] count = extent.clone();
      start[0] = at;
      count[0] = length;
      shares.add(length == 0 ? Selection.none() : Selection.box(start, count));
      at += length;
    }
    return shares;
  }

  /** Boxes of a coarse grid, each to some rank or to none. */
  private static List<Selection> scattered(Random random, long[] extent, int ranks) {
    List<List<Selection>> boxes = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      boxes.add(new ArrayList<>());
    }
    long[] cell = new long[extent.length];
    for (int d = 0; d < cell.length; d++) {
      cell[d] = 1 + random.nextInt((int) Math.max(1, extent[d] / 2));
    }
    long[] at = new long[extent.length];
    do {
      int owner = random.nextInt(ranks + 1);
      if (owner < ranks) {
        long[] count = new long[extent.length];
        for (int d = 0; d < cell.length; d++) {
          count[d] = Math.min(cell[d], extent[d] - at[d]);
        }
        boxes.get(owner).add(Selection.box(at.clone(), count));
      }
    } while (advance(at, cell, extent));
    return boxes.stream()
        .map(list -> list.isEmpty() ? Selection.none() : Selection.union(list))
        .toList();
  }

  private static boolean advance(long[] at, long[] step, long[] extent) {
    for (int d = at.length - 1; d >= 0; d--) {
      at[d] += step[d];
      if (at[d] < extent[d]) {
        return true;
      }
      at[d] = 0;
    }
    return false;
  }

  /** Points in no order. */
  private static List<Selection> points(Random random, long[] extent, int ranks) {
    List<List<long[]>> lists = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      lists.add(new ArrayList<>());
    }
    long[] one = new long[extent.length];
    Arrays.fill(one, 1);
    long[] at = new long[extent.length];
    do {
      int owner = random.nextInt(2 * ranks);
      if (owner < ranks) {
        List<long[]> list = lists.get(owner);
        list.add(random.nextInt(list.size() + 1), at.clone());
      }
    } while (advance(at, one, extent));
    return lists.stream()
        .map(list ->
            list.isEmpty()
                ? Selection.none()
                : Selection.points(
                    extent.length, list.stream().flatMapToLong(Arrays::stream).toArray()))
        .toList();
  }
}
