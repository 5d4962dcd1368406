package org.hyperslab.benchmarks.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;

/**
 * What a climate model writes in a step: variables that 16 ranks share by maps of <a
 * href="https://github.com/Parallel-NetCDF/E3SM-IO">E3SM-IO</a>, each rank thousands of short runs
 * of each variable. Only the variables that are shared are written.
 *
 * @param elementType the type of all elements
 * @param variables the variables
 */
record E3smCase(Class<?> elementType, List<Variable> variables) {

  /**
   * A variable.
   *
   * @param shape its extents
   * @param shares what each rank writes, in elements
   */
  record Variable(long[] shape, List<Selection> shares) {}

  /**
   * Reads the file {@code h0} of the F case: 387 variables of floats.
   *
   * @param folder the folder of {@code map_f_case_16p.h5}
   * @return the case
   */
  static E3smCase f(Path folder) {
    return read(folder.resolve("map_f_case_16p.h5"), float.class, 1, 323, 63);
  }

  /**
   * Reads the G case: 41 variables of doubles.
   *
   * @param folder the folder of {@code map_g_case_16p.h5}
   * @return the case
   */
  static E3smCase g(Path folder) {
    return read(folder.resolve("map_g_case_16p.h5"), double.class, 6, 2, 25, 2, 2, 4);
  }

  private static E3smCase read(Path maps, Class<?> type, int... variablesOfMap) {
    List<Variable> variables = new ArrayList<>();
    try (H5File file = Hdf5.open(maps)) {
      for (int map = 0; map < variablesOfMap.length; map++) {
        Variable shared = variable(file, "D" + (map + 1));
        for (int i = 0; i < variablesOfMap[map]; i++) {
          variables.add(shared);
        }
      }
    }
    return new E3smCase(type, variables);
  }

  private static Variable variable(H5File file, String map) {
    int[] dimensions = file.attribute(map + ".dims").readInts();
    long[] shape = new long[dimensions.length];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = dimensions[d];
    }
    int[] counts = ints(file, map + ".nreqs");
    int[] offsets = ints(file, map + ".offsets");
    int[] lengths = ints(file, map + ".lengths");
    long inner = shape[shape.length - 1];
    List<Selection> shares = new ArrayList<>();
    int at = 0;
    for (int count : counts) {
      List<Selection> runs = new ArrayList<>();
      for (int i = at; i < at + count; i++) {
        long[] start = shape.length == 1 ? new long[] {offsets[i]} : place(offsets[i], inner);
        long[] block = shape.length == 1 ? new long[] {lengths[i]} : new long[] {1, lengths[i]};
        runs.add(Selection.box(start, block));
      }
      shares.add(Selection.union(runs));
      at += count;
    }
    return new Variable(shape, shares);
  }

  private static long[] place(long offset, long inner) {
    return new long[] {offset / inner, offset % inner};
  }

  private static int[] ints(H5File file, String name) {
    try (Dataset dataset = file.dataset(name)) {
      return dataset.readInts();
    }
  }

  /**
   * Creates the variables, and lets 16 threads write their shares of each, one variable after the
   * other.
   *
   * @param file the file
   * @return the bytes of all elements
   */
  long write(H5File file) {
    List<Dataset> datasets = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      datasets.add(
          file.datasetBuilder("v" + i).type(elementType).shape(variables.get(i).shape).create());
    }
    int ranks = variables.getFirst().shares.size();
    long bytes = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      List<Future<Long>> shares = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        int each = rank;
        shares.add(threads.submit(() -> share(datasets, each)));
      }
      for (Future<Long> share : shares) {
        bytes += joined(share);
      }
    }
    datasets.forEach(Dataset::close);
    return bytes;
  }

  private static long joined(Future<Long> share) {
    try {
      return share.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private long share(List<Dataset> datasets, int rank) {
    long bytes = 0;
    for (int i = 0; i < datasets.size(); i++) {
      Variable variable = variables.get(i);
      Selection selection = variable.shares.get(rank);
      int elements = Math.toIntExact(selection.elementCount(variable.shape));
      Object values = elementType == float.class ? new float[elements] : new double[elements];
      fill(values, rank + i);
      datasets.get(i).write(selection, values);
      bytes += (long) elements * (elementType == float.class ? Float.BYTES : Double.BYTES);
    }
    return bytes;
  }

  private static void fill(Object values, int number) {
    if (values instanceof float[] floats) {
      Arrays.fill(floats, number);
    } else {
      Arrays.fill((double[]) values, number);
    }
  }
}
