package org.hyperslab.plugins.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.nativevol.NativeInWorld;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldDisk;
import org.hyperslab.testkit.world.WorldProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log does not grow beyond its capacity, and many threads share it. */
class LogCapacityTest {

  private static final int THREADS = 4;
  private static final int ROWS = 200;
  private static final int COLUMNS = 1000;
  private static final long CAPACITY = 1L << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drain=close acknowledge=received",
        "drain=background acknowledge=written rate=100M",
        "drain=close acknowledge=durable"
      })
  void threadsWriteMoreThanTheLogHolds(String options) throws Exception {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    Path file = folder.resolve("a.h5");
    String stack = "log capacity=1M path=" + logs + " " + options + " | native";
    try (Session session = Hdf5.session(stack);
        H5File written = session.create(file);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      written.createDataset("x", int.class, (long) THREADS * ROWS, COLUMNS).close();
      written.flush();
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int first = t * ROWS;
        all.add(threads.submit(() -> write(written, logs, first)));
      }
      for (Future<?> each : all) {
        join(each);
      }
    }
    assertThat(logs).isEmptyDirectory();
    try (H5File read = Hdf5.open(file)) {
      int[] values = read.dataset("x").readInts();
      for (int i = 0; i < values.length; i++) {
        assertThat(values[i]).isEqualTo(i / COLUMNS);
      }
    }
  }

  private static void join(Future<?> each) throws InterruptedException {
    try {
      each.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static Void write(H5File file, Path logs, int first) throws IOException {
    try (Dataset dataset = file.dataset("x")) {
      int[] row = new int[COLUMNS];
      for (int i = first; i < first + ROWS; i++) {
        Arrays.fill(row, i);
        Selection place = Selection.box(new long[] {i, 0}, new long[] {1, COLUMNS});
        dataset.write(place, row);
        if (i % 20 == 0) {
          assertThat(dataset.readInts(place)).isEqualTo(row);
          assertThat(bytes(logs)).isLessThanOrEqualTo(CAPACITY + (1 << 16));
        }
      }
    }
    return null;
  }

  private static long bytes(Path logs) throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      long sum = 0;
      for (Path each : files.filter(path -> !path.toString().endsWith(".new")).toList()) {
        sum += Files.exists(each) ? Files.size(each) : 0;
      }
      return sum;
    }
  }

  /**
   * The disk of log and file is full for a while: what fails is typed, and nothing else is lost.
   */
  @Test
  void fullDiskLosesNothingThatWasFlushed() {
    for (long seed = 1; seed <= 20; seed++) {
      World world = new World(seed);
      try (WorldDisk disk = new WorldDisk(world)) {
        WorldProcess process = world.process("program");
        world.run(process, () -> fill(disk, process));
      }
    }
  }

  private static void fill(WorldDisk disk, WorldProcess process) {
    LogOptions options =
        new LogOptions(
            disk.root(),
            1L << 26,
            Long.MAX_VALUE,
            LogOptions.Drain.CLOSE,
            LogOptions.Acknowledge.RECEIVED,
            false);
    String name = disk.root() + "/a.h5";
    try (Session session = session(options, process)) {
      H5File file = session.create(name);
      file.createDataset("x", new int[] {1, 2, 3});
      file.flush();
      disk.free(0);
      file.dataset("x").write(new int[] {4, 5, 6});
      assertThatThrownBy(file::flush).isInstanceOf(HyperslabException.class);
      disk.free(Long.MAX_VALUE);
      file.close();
    }
    try (Session session = session(options, process);
        H5File file = session.open(name)) {
      assertThat(file.dataset("x").readInts()).containsExactly(4, 5, 6);
    }
  }

  private static Session session(LogOptions options, WorldProcess process) {
    return Hdf5.session(new LogConnector(LogContext.of(NativeInWorld.create(), options, process)));
  }
}
