package org.hyperslab.benchmarks.data;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;

/**
 * Runs the dataset scenarios of {@code src/main/c/peer.c} with this library: the same calls on the
 * same data, with the same lines of output, so that both can be run in turn and compared. Like the
 * C library, it leaves durability to the operating system.
 *
 * <pre>
 * DatasetPeer SCENARIO FILE
 * </pre>
 */
final class DatasetPeer {

  private static final long ELEMENTS = 1L << 27;
  private static final int HEAP_ELEMENTS = 1 << 27;

  private final String file;
  private final PrintStream out;

  private DatasetPeer(String file, PrintStream out) {
    this.file = file;
    this.out = out;
  }

  /**
   * Runs one scenario.
   *
   * @param arguments see the class
   */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("usage: DatasetPeer SCENARIO FILE");
      System.exit(2);
    }
    DatasetPeer peer = new DatasetPeer(arguments[1], System.out);
    switch (arguments[0]) {
      case "contiguous" -> peer.contiguous();
      case "contiguous-heap" -> peer.contiguousHeap();
      case "runs256" -> peer.selection("runs256", 32, 64);
      case "elements" -> peer.selection("elements", 1, 2);
      case "deflate" -> peer.deflate();
      case "rows" -> peer.rows();
      case "creates" -> peer.creates();
      default -> throw new IllegalArgumentException("no scenario " + arguments[0]);
    }
  }

  private void time(String name, Runnable action) {
    long started = System.nanoTime();
    action.run();
    out.printf(Locale.ROOT, "%s %.6f%n", name, 1e-9 * (System.nanoTime() - started));
  }

  private static OpenOptions open(boolean writable) {
    return OpenOptions.READ
        .withWritable(writable)
        .withLocking(Locking.OFF)
        .withDurability(Durability.PROCESS);
  }

  private H5File create() {
    return Hdf5.create(file, CreateOptions.DEFAULT.withAccess(open(true)));
  }

  private static MemorySegment touched(Arena arena) {
    MemorySegment data = arena.allocate(ELEMENTS * 8, 64);
    for (long i = 0; i < ELEMENTS; i++) {
      data.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (double) (i & 0xFFFF));
    }
    return data;
  }

  private void contiguous() {
    try (Arena arena = Arena.ofShared();
        H5File created = create()) {
      MemorySegment data = touched(arena);
      Dataset dataset = created.createDataset("d", Datatypes.F64LE, Dataspace.simple(ELEMENTS));
      dataset.write(data);
      for (int round = 0; round < 3; round++) {
        time("contiguous/write", () -> dataset.write(data));
        time("contiguous/read", () -> dataset.readInto(data));
      }
    }
  }

  private void contiguousHeap() {
    double[] data = new double[HEAP_ELEMENTS];
    for (int i = 0; i < data.length; i++) {
      data[i] = i & 0xFFFF;
    }
    try (H5File created = create()) {
      Dataset dataset = created.createDataset("d", Datatypes.F64LE, Dataspace.simple(data.length));
      dataset.write(data);
      for (int round = 0; round < 3; round++) {
        time("contiguous-heap/write", () -> dataset.write(data));
        time("contiguous-heap/read", () -> dataset.readInto(data));
      }
    }
  }

  /** Transfers {@code run} elements of every {@code period}, in the file, in memory, or in both. */
  private void selection(String name, long run, long period) {
    try (Arena arena = Arena.ofShared();
        H5File created = create()) {
      MemorySegment data = touched(arena);
      Dataset dataset = created.createDataset("d", Datatypes.F64LE, Dataspace.simple(ELEMENTS));
      dataset.write(data);
      long count = ELEMENTS / period;
      Selection strided =
          Selection.hyperslab(
              new long[] {0}, new long[] {period}, new long[] {count}, new long[] {run});
      Selection half = Selection.box(new long[] {0}, new long[] {count * run});
      Memory whole = Memory.of(data, Datatypes.F64LE, ELEMENTS);
      Memory dense = Memory.of(data, Datatypes.F64LE, count * run);
      for (int round = 0; round < 3; round++) {
        time(name + "/file-write", () -> dataset.write(strided, dense));
        time(name + "/file-read", () -> dataset.readInto(strided, dense));
        time(name + "/memory-write", () -> dataset.write(half, whole.select(strided)));
        time(name + "/memory-read", () -> dataset.readInto(half, whole.select(strided)));
        time(name + "/both-write", () -> dataset.write(strided, whole.select(strided)));
        time(name + "/both-read", () -> dataset.readInto(strided, whole.select(strided)));
      }
    }
  }

  /** Returns doubles like those of a simulation: smooth, with noise in the low bits. */
  private static double[] smooth(int n) {
    double[] data = new double[n];
    long state = 42;
    for (int i = 0; i < n; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      data[i] = (double) (i / 64) * 0.25 + (state >>> 56) * 0x1p-20;
    }
    return data;
  }

  private void deflate() {
    int rows = 4096;
    int columns = 8192;
    double[] data = smooth(rows * columns);
    for (int round = 0; round < 3; round++) {
      try (H5File created = create()) {
        Dataset dataset =
            created
                .datasetBuilder("d")
                .type(Datatypes.F64LE)
                .shape(rows, columns)
                .options(DatasetOptions.chunked(256, 512).shuffle().deflate(4).build())
                .create();
        time("deflate/write", () -> dataset.write(data));
      }
      try (H5File read = Hdf5.open(file, open(false))) {
        Dataset dataset = read.dataset("d");
        time("deflate/read", () -> dataset.readInto(data));
      }
    }
  }

  private void rows() {
    int side = 4096;
    try (H5File created = create()) {
      created
          .datasetBuilder("d")
          .type(Datatypes.F64LE)
          .shape(side, side)
          .options(DatasetOptions.chunked(256, 256).shuffle().deflate(4).build())
          .create()
          .write(smooth(side * side));
    }
    double[] row = new double[side];
    for (int round = 0; round < 24; round++) {
      try (H5File read = Hdf5.open(file, open(false))) {
        Dataset dataset = read.dataset("d");
        time(
            "rows/read",
            () -> {
              for (int r = 0; r < 1000; r++) {
                dataset.readInto(Selection.box(new long[] {r, 0}, new long[] {1, side}), row);
              }
            });
      }
    }
  }

  private void creates() {
    for (int round = 0; round < 4; round++) {
      time("creates/create", this::createMany);
      try (H5File read = Hdf5.open(file, open(false))) {
        Group group = read.group("g");
        time(
            "creates/list-open",
            () -> group.links().map(Link::name).forEach(name -> group.dataset(name).close()));
      }
    }
  }

  private void createMany() {
    Dataspace four = Dataspace.simple(4);
    try (H5File created = create()) {
      Group group = created.createGroup("g");
      for (int i = 0; i < 100_000; i++) {
        group.createDataset(name(i), Datatypes.I32LE, four).close();
      }
    }
  }

  private static String name(int i) {
    String digits = Integer.toString(i);
    return "dataset" + "000000".substring(digits.length()) + digits;
  }
}
