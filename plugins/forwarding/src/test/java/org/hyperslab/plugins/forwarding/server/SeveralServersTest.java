package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.GroupOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that raw data is distributed among several servers and stored in one file. */
@Timeout(300)
final class SeveralServersTest {

  private static final int ROWS = 96;
  private static final int COLUMNS = 40;

  private StagedFixture.Shared shared;

  @BeforeEach
  void start() {
    shared = StagedFixture.Shared.unix(3, "stripe=1K reconnect=0");
  }

  @AfterEach
  void stop() {
    shared.close();
  }

  private Session session() {
    return Hdf5.session(shared.configuration());
  }

  private static Dataset matrix(H5File file, String name) {
    return file.root()
        .datasetBuilder(name)
        .type(Datatypes.I32LE)
        .shape(ROWS, COLUMNS)
        .createAsync();
  }

  private static int[] values(long count, int first) {
    int[] values = new int[Math.toIntExact(count)];
    Arrays.setAll(values, i -> first + i);
    return values;
  }

  @Test
  void everyServerMovesItsRegionsAndTheFileIsTheSame() {
    Path direct = shared.folder().file("direct.h5");
    try (Session session = session();
        H5File file = session.create("spread.h5", CreateOptions.DEFAULT);
        H5File natively = Hdf5.create(direct)) {
      int[] all = values(ROWS * COLUMNS, 7);
      matrix(file, "m").write(all);
      natively.createDataset("m", Datatypes.I32LE, Dataspace.simple(ROWS, COLUMNS)).write(all);
      assertThat(file.dataset("m").read(int[].class)).isEqualTo(all);
    }
    Oracle.Outcome judged =
        Oracle.h5diff().run(direct.toString(), shared.root().resolve("spread.h5").toString());
    assertThat(judged.exitCode()).as(judged.toString()).isZero();
    for (StageServer server : shared.servers()) {
      assertThat(server.status()).doesNotContain("issued 0 writes");
    }
  }

  @Test
  void randomTransfersEqualThoseOfOneServer() {
    Seeds.runFixed(
        Effort.times(15, 40),
        random -> {
          int[] model = new int[ROWS * COLUMNS];
          String name = "random" + random.nextLong() + ".h5";
          try (Session session = session();
              H5File file = session.create(name, CreateOptions.DEFAULT)) {
            Dataset dataset = matrix(file, "m");
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
              calls.add(step(dataset, file, random, model, step));
            }
            calls.forEach(CompletableFuture::join);
            assertSame(dataset.read(int[].class), model, "through the servers");
          }
          try (H5File file = Hdf5.open(shared.root().resolve(name))) {
            assertSame(file.dataset("m").read(int[].class), model, "in the file");
          }
        });
  }

  private static void assertSame(int[] found, int[] expected, String where) {
    int at = Arrays.mismatch(found, expected);
    if (at >= 0) {
      throw new AssertionError(
          where
              + ": row "
              + at / COLUMNS
              + ", column "
              + at % COLUMNS
              + ": actual="
              + found[at]
              + ", expected="
              + expected[at]);
    }
  }

  /** One asynchronous call, and its effect on the model. */
  private static CompletableFuture<?> step(
      Dataset dataset, H5File file, Random random, int[] model, int step) {
    long[] start = {random.nextInt(ROWS), random.nextInt(COLUMNS)};
    long[] stride = {1 + random.nextInt(9), 1 + random.nextInt(4)};
    long[] count = {
      1 + random.nextLong((ROWS - 1 - start[0]) / stride[0] + 1),
      1 + random.nextLong((COLUMNS - 1 - start[1]) / stride[1] + 1)
    };
    Selection selection = Selection.hyperslab(start, stride, count, new long[] {1, 1});
    int elements = Math.toIntExact(count[0] * count[1]);
    switch (random.nextInt(6)) {
      case 0 -> {
        return file.flushAsync();
      }
      case 1, 2 -> {
        int[] expected = new int[elements];
        each(start, stride, count, (at, i) -> expected[i] = model[at]);
        int[] found = new int[elements];
        return dataset
            .readIntoAsync(selection, found)
            .thenRun(() -> assertSame(found, expected, "step " + step));
      }
      case 3 -> {
        // Doubles are converted: only the home can do it.
        double[] values = new double[elements];
        Arrays.fill(values, -step);
        each(start, stride, count, (at, i) -> model[at] = -step);
        return dataset.writeAsync(selection, values);
      }
      default -> {
        int[] values = values(elements, 1000 * step);
        each(start, stride, count, (at, i) -> model[at] = values[i]);
        return dataset.writeAsync(selection, values);
      }
    }
  }

  private interface Place {
    void at(int index, int ordinal);
  }

  private static void each(long[] start, long[] stride, long[] count, Place place) {
    int ordinal = 0;
    for (long r = 0; r < count[0]; r++) {
      for (long c = 0; c < count[1]; c++) {
        long row = start[0] + r * stride[0];
        place.at(Math.toIntExact(row * COLUMNS + start[1] + c * stride[1]), ordinal++);
      }
    }
  }

  @Test
  void anotherClientSeesWhatHasBeenApplied() {
    try (Session one = session();
        Session two = session();
        H5File first = one.create("two.h5", CreateOptions.DEFAULT)) {
      Dataset mine = matrix(first, "m");
      mine.write(values(ROWS * COLUMNS, 0));
      try (H5File second = two.open("two.h5", OpenOptions.EDIT)) {
        Dataset theirs = second.dataset("m");
        assertThat(theirs.read(int[].class)).isEqualTo(values(ROWS * COLUMNS, 0));
        theirs.write(values(ROWS * COLUMNS, 5));
        assertThat(mine.read(int[].class)).isEqualTo(values(ROWS * COLUMNS, 5));
        // A client that knows only one of the servers sees the same.
        String home = shared.servers().get(Math.floorMod("two.h5".hashCode(), 3)).address() + "";
        try (Session three = Hdf5.session("forwarding servers=" + home);
            H5File third = three.open("two.h5", OpenOptions.READ)) {
          assertThat(third.dataset("m").read(int[].class)).isEqualTo(values(ROWS * COLUMNS, 5));
        }
      }
    }
  }

  @Test
  void lostServerFailsOnlyTransfersOfItsRegions() {
    int home = Math.floorMod("lost.h5".hashCode(), 3);
    try (Session session = session()) {
      H5File file = session.create("lost.h5", CreateOptions.DEFAULT);
      Dataset dataset = matrix(file, "m");
      dataset.write(values(ROWS * COLUMNS, 0));
      shared.servers().get((home + 1) % 3).close();
      int failed = 0;
      for (int row = 0; row < ROWS; row++) {
        Selection one = Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS});
        try {
          dataset.write(one, values(COLUMNS, -row));
        } catch (HyperslabException gone) {
          failed++;
        }
      }
      assertThat(failed).isBetween(ROWS / 4, ROWS / 2);
      file.createDataset("small", new int[] {1, 2});
      assertThatThrownBy(file::close).isInstanceOf(HyperslabException.class);
    }
    try (H5File file = Hdf5.open(shared.root().resolve("lost.h5"))) {
      assertThat(file.dataset("small").read(int[].class)).containsExactly(1, 2);
      int[] found = file.dataset("m").read(int[].class);
      for (int row = 0; row < ROWS; row++) {
        assertThat(found[row * COLUMNS]).isIn(row * COLUMNS, -row);
      }
    }
  }

  @Test
  void closingDoesNotWaitLongForAHomeThatIsLost() {
    int home = Math.floorMod("homeless.h5".hashCode(), 3);
    long lost;
    try (Session session = session()) {
      H5File file = session.create("homeless.h5", CreateOptions.DEFAULT);
      matrix(file, "m").write(values(ROWS * COLUMNS, 0));
      shared.servers().get(home).close();
      lost = System.nanoTime();
      assertThatThrownBy(file::close).isInstanceOf(HyperslabException.class);
    }
    shared.servers().get((home + 1) % 3).close();
    shared.servers().get((home + 2) % 3).close();
    // Servers try for two seconds on an idle machine; clients try for twenty.
    assertThat(Duration.ofNanos(System.nanoTime() - lost)).isLessThan(Duration.ofSeconds(18));
  }

  @Test
  void cancellingATransferAbandonsItsPartsThatHaveNotBegun() throws InterruptedException {
    List<LatchConnector> latches = new ArrayList<>();
    Supplier<Connector> below =
        () -> {
          latches.add(new LatchConnector(operation -> operation instanceof GroupOperation.Create));
          return latches.getLast();
        };
    String name = "cancelled.h5";
    try (StagedFixture.Shared two = StagedFixture.Shared.unix(2, "stripe=1K", below);
        Session session = Hdf5.session(two.configuration());
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      Dataset dataset = matrix(file, "m");
      dataset.write(values(ROWS * COLUMNS, 1));
      file.root().createGroupAsync("here the home stops");
      latches.get(Math.floorMod(name.hashCode(), 2)).awaitHeld();
      try (Arena arena = Arena.ofShared()) {
        MemorySegment bytes = arena.allocate(4L * ROWS * COLUMNS).fill((byte) -1);
        Memory memory = Memory.of(bytes, Datatypes.I32LE, ROWS, COLUMNS);
        CompletableFuture<Void> write = dataset.writeAsync(Selection.all(), memory);
        assertThat(write.cancel(true)).isTrue();
        // The memory is the caller's again: it is freed here.
      }
      Connectors.find(session.connector(), ForwardingConnector.class).orElseThrow().status();
      latches.forEach(LatchConnector::open);
      int[] found = dataset.read(int[].class);
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).isIn(i + 1, -1);
      }
      long kept = Arrays.stream(found).filter(value -> value != -1).count();
      assertThat(kept).isGreaterThanOrEqualTo(found.length / 3);
    }
  }

  @Test
  void serversWithoutACommonFolderLeaveAllToTheHome() {
    try (StagedFixture.Shared other = StagedFixture.Shared.unix(1, "");
        Session session =
            Hdf5.session(
                shared
                    .configuration()
                    .replace(" stripe", "," + other.servers().getFirst().address() + " stripe"));
        H5File file = session.create("apart.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = matrix(file, "m");
      dataset.write(values(ROWS * COLUMNS, 3));
      assertThat(dataset.read(int[].class)).isEqualTo(values(ROWS * COLUMNS, 3));
    }
  }

  @Test
  void earlyAnswersAreKeptByTheNextFlush() {
    try (Session session = Hdf5.session(shared.configuration() + " acknowledge=received");
        H5File file = session.create("early.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = matrix(file, "m");
      for (int i = 0; i < 10; i++) {
        dataset.writeAsync(values(ROWS * COLUMNS, i));
      }
      file.flush();
      try (H5File here =
          Hdf5.open(shared.root().resolve("early.h5"), OpenOptions.READ.withLocking(Locking.OFF))) {
        assertThat(here.dataset("m").read(int[].class)).isEqualTo(values(ROWS * COLUMNS, 9));
      }
    }
  }
}
