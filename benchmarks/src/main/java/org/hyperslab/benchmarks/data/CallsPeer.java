package org.hyperslab.benchmarks.data;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;

/**
 * Our side of the benchmark of single calls; {@code calls.c} is the other, scenario by scenario.
 */
final class CallsPeer {

  private static final int LEAST_ROUNDS = 5;
  private static final long NANOS = 2_000_000_000L;
  private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

  private final Path path;

  private CallsPeer(Path path) {
    this.path = path;
  }

  /**
   * Runs one scenario and prints the nanoseconds for each call, elapsed and of the processor time
   * of the calling thread, a line for each round.
   *
   * @param args the scenario, and the folder for its file
   */
  public static void main(String[] args) {
    new CallsPeer(Path.of(args[1], "ours.h5")).run(args[0]);
  }

  private void run(String scenario) {
    switch (scenario) {
      case "element" -> boxes(1, 20_000);
      case "row" -> boxes(1000, 10_000);
      case "string-read", "string-write" -> strings(scenario, 10_000);
      case "strings-read", "strings-write" -> strings(scenario, 50_000);
      case "tree" -> rounds(2000, () -> tree(2000));
      case "compounds" -> rounds(300, () -> compounds(300, 100));
      case "names", "visit" -> listing(scenario, 32_000);
      case "scattered" -> rounds(65_536, () -> scattered(false));
      case "scattered-v110" -> rounds(65_536, () -> scattered(true));
      default -> strided(Integer.parseInt(scenario.substring("strided-".length())));
    }
  }

  /** A part of a scenario that is timed; its result is printed so that it is computed. */
  private interface Timed {
    double run();
  }

  private static void rounds(long calls, Timed body) {
    long started = PROCESSOR.getCurrentThreadCpuTime();
    for (int round = 0;
        round < LEAST_ROUNDS || PROCESSOR.getCurrentThreadCpuTime() - started < NANOS;
        round++) {
      long begin = System.nanoTime();
      long processor = PROCESSOR.getCurrentThreadCpuTime();
      double sum = body.run();
      System.out.printf(
          "%.1f %.1f %.0f%n",
          (System.nanoTime() - begin) / (double) calls,
          (PROCESSOR.getCurrentThreadCpuTime() - processor) / (double) calls,
          sum);
    }
  }

  private H5File create(boolean latest) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.PROCESS));
    return Hdf5.create(
        path, latest ? options.withBounds(FormatVersion.V110, FormatVersion.V200) : options);
  }

  private void boxes(int columns, int calls) {
    try (H5File file = create(false)) {
      file.createDataset("d", new double[1000][1000]);
    }
    try (H5File file = Hdf5.open(path)) {
      Dataset data = file.dataset("d");
      double[] row = new double[columns];
      long[] count = {1, columns};
      rounds(
          calls,
          () -> {
            double sum = 0;
            for (int i = 0; i < calls; i++) {
              long[] start = {
                Integer.remainderUnsigned(i * 7919, 8),
                Integer.remainderUnsigned(i * 104_729, 1001 - columns)
              };
              data.readInto(Selection.box(start, count), row);
              sum += row[0];
            }
            return sum;
          });
    }
  }

  private void strings(String scenario, int n) {
    String[] all =
        IntStream.range(0, n).mapToObj(i -> "string number " + i % 9000).toArray(String[]::new);
    if (scenario.equals("strings-write")) {
      rounds(n, () -> writeStrings(all));
      return;
    }
    try (H5File file = create(false)) {
      Dataset data = file.createDataset("d", all);
      if (scenario.equals("strings-read")) {
        rounds(n, () -> IntStream.range(0, 1).mapToLong(i -> length(data.readStrings())).sum());
      } else {
        rounds(n, () -> eachString(data, all, scenario.equals("string-write")));
      }
    }
  }

  private double writeStrings(String[] all) {
    try (H5File file = create(false)) {
      file.createDataset("d", all);
    }
    return all.length;
  }

  private static long length(String[] all) {
    long length = 0;
    for (String each : all) {
      length += each.length();
    }
    return length;
  }

  private static double eachString(Dataset data, String[] all, boolean write) {
    long[] one = {1};
    String[] value = new String[1];
    double length = 0;
    for (int i = 0; i < all.length; i++) {
      long[] start = {Integer.remainderUnsigned(i * 7919, all.length)};
      Selection place = Selection.box(start, one);
      if (write) {
        value[0] = all[i];
        data.write(place, value);
      } else {
        length += data.read(place, String[].class)[0].length();
      }
    }
    return length;
  }

  private void strided(int rank) {
    int length = new int[] {0, 0, 0, 160, 0, 20, 12, 9, 6}[rank];
    long[] dims = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    int n = 1;
    int picked = 1;
    for (int k = 0; k < rank; k++) {
      dims[k] = length;
      stride[k] = 2;
      count[k] = length / 2;
      n *= length;
      picked *= length / 2;
    }
    long[] ones = new long[rank];
    Arrays.fill(ones, 1);
    double[] got = new double[picked];
    try (H5File file = create(false)) {
      Dataset data = file.createDataset("d", Datatypes.F64LE, Dataspace.simple(dims));
      data.write(IntStream.range(0, n).asDoubleStream().toArray());
      int calls = 200_000 / picked + 1;
      rounds(
          (long) calls * picked,
          () -> {
            double sum = 0;
            for (int i = 0; i < calls; i++) {
              data.readInto(Selection.hyperslab(new long[rank], stride, count, ones), got);
              sum += got[got.length - 1];
            }
            return sum;
          });
    }
  }

  private double tree(int levels) {
    try (H5File file = create(false)) {
      Group parent = file.root();
      for (int i = 0; i < levels; i++) {
        parent = parent.createGroup("g");
      }
    }
    return levels;
  }

  private double compounds(int n, int members) {
    try (H5File file = create(false)) {
      for (int i = 0; i < n; i++) {
        CompoundType.Builder type = CompoundType.builder();
        for (int k = 0; k < members; k++) {
          type.member("member" + k, Datatypes.F64LE);
        }
        file.createDataset("d" + i, type.build(), Dataspace.scalar());
      }
    }
    return n;
  }

  private void listing(String scenario, int n) {
    try (H5File file = create(false)) {
      for (int i = 0; i < n; i++) {
        file.createGroup("group" + i);
      }
    }
    rounds(n, () -> scenario.equals("names") ? names() : visit());
  }

  private double names() {
    try (H5File file = Hdf5.open(path)) {
      return file.root().links().map(Link::name).mapToInt(String::length).sum();
    }
  }

  private double visit() {
    long[] sum = {0};
    try (H5File file = Hdf5.open(path)) {
      file.root()
          .visit((name, object) -> {
            sum[0] += name.length() + object.kind().ordinal();
            return true;
          });
    }
    return sum[0];
  }

  private double scattered(boolean latest) {
    long[] one = {1, 1};
    double[] value = {1};
    int n = 65_536;
    try (H5File file = create(latest)) {
      Dataset data =
          file.datasetBuilder("d")
              .type(Datatypes.F64LE)
              .shape(4096, 4096)
              .options(DatasetOptions.chunked(16, 16).build())
              .create();
      for (int i = 0; i < n; i++) {
        int place = i * 40_503 & 0xFFFF;
        long[] start = {place / 256 * 16 + i % 16, place % 256 * 16 + i / 16 % 16};
        data.write(Selection.box(start, one), value);
      }
    }
    return n;
  }
}
