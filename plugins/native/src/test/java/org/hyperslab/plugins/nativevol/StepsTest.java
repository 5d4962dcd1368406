package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.model.StepPage;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests steps: what is appended in one is seen together, in order and once, by followers in this
 * process, in another one, and in one of h5py.
 */
final class StepsTest {

  static final OpenOptions WRITE =
      OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS);
  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);
  private static final int STEPS = 40;
  private static final Duration NOW = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(2);

  /**
   * Follows as docs/steps.md says. For each line it prints how many steps it sees, and whether all
   * their rows are right. For the line "again" it opens the file anew, as it must to see new texts.
   */
  private static final String READER =
      """
      import sys, h5py, numpy
      def published(f):
          state = f['_steps/state']
          state.refresh()
          slots = state[8:].reshape(2, 4)
          good = slots[slots[:, 3] == ~(slots[:, 0] ^ slots[:, 1] ^ slots[:, 2])]
          return int(good[:, 0].max())
      def look(f, texts):
          n = published(f)
          rows = f['_steps/rows']
          data = [f[p] for p in f['_steps'].attrs['datasets']]
          for x in [rows] + data: x.refresh()
          r = rows[:n + 1]
          good = r.shape[0] == n + 1
          for c, d in enumerate(data):
              if d.dtype.kind == 'O' and not texts: continue
              d = d[:r[n, c]]
              for s in range(n):
                  part = d[r[s, c]:r[s + 1, c]]
                  if d.dtype.kind == 'O':
                      good = good and [x.decode() for x in part] == ['step %d' % s] * len(part)
                  else:
                      good = good and (part == s).all()
          return n, bool(good)
      def opened(): return h5py.File(sys.argv[1], 'r', libver='latest', swmr=True)
      f = opened()
      print('ready')
      for line in sys.stdin:
          again = line.strip() == 'again'
          if again:
              f.close()
              f = opened()
          print(*look(f, again))
      """;

  @TempDir private Path folder;

  private Path create(boolean texts) {
    Path path = folder.resolve("steps.h5");
    create(Hdf5.create(path, CreateOptions.DEFAULT.withAccess(WRITE)), texts).close();
    return path;
  }

  static H5File create(H5File file, boolean texts) {
    file.datasetBuilder("frames")
        .type(Datatypes.U16LE)
        .shape(0, 4, 4)
        .maxShape(Hdf5.UNLIMITED, 4, 4)
        .options(DatasetOptions.chunked(8, 4, 4).build())
        .create();
    file.datasetBuilder("packed")
        .type(Datatypes.I32LE)
        .shape(0)
        .maxShape(Hdf5.UNLIMITED)
        .options(DatasetOptions.chunked(16).shuffle().deflate(4).build())
        .create();
    for (int i = 0; i < 5; i++) {
      file.datasetBuilder("g/value" + i)
          .type(Datatypes.F64LE)
          .shape(0)
          .maxShape(Hdf5.UNLIMITED)
          .options(DatasetOptions.chunked(32).build())
          .create();
    }
    if (texts) {
      file.datasetBuilder("notes")
          .type(Datatypes.vlenString())
          .shape(0)
          .maxShape(Hdf5.UNLIMITED)
          .options(DatasetOptions.chunked(32).build())
          .create();
    }
    return file;
  }

  /** Writes a step, in which the number of rows differs by dataset. */
  static void write(H5File file, int step, boolean texts) {
    short[][] square = new short[4][4];
    for (short[] row : square) {
      Arrays.fill(row, (short) step);
    }
    int[] some = new int[step % 3];
    Arrays.fill(some, step);
    try (Dataset frames = file.dataset("frames");
        Dataset packed = file.dataset("packed")) {
      file.step(() -> {
        frames.append(square);
        packed.append(some);
        for (int i = 0; i < 5; i++) {
          try (Dataset value = file.dataset("g/value" + i)) {
            value.append((double) step);
          }
        }
        if (texts) {
          try (Dataset notes = file.dataset("notes")) {
            notes.append("step " + step);
          }
        }
      });
    }
  }

  /** Checks the rows of a step. */
  static void check(Step step) {
    int number = (int) step.number();
    assertThat(step.rows("/frames")).isEqualTo(1);
    assertThat(step.firstRow("/frames")).isEqualTo(number);
    assertThat(step.slice("/frames").readInts()).hasSize(16).containsOnly(number);
    assertThat(step.rows("/packed")).isEqualTo(number % 3);
    if (number % 3 > 0) {
      assertThat(step.slice("/packed").readInts()).hasSize(number % 3).containsOnly(number);
    } else {
      assertThat(step.slice("/packed").readInts()).isEmpty();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(step.slice("/g/value" + i).readDoubles()).containsExactly(number);
    }
  }

  /** Takes the steps that are published, and checks them; returns how many there were. */
  private static int take(StepReader reader, int first) {
    int number = first;
    for (var step = reader.next(NOW); step.isPresent(); step = reader.next(NOW)) {
      assertThat(step.get().number()).isEqualTo(number);
      check(step.get());
      number++;
    }
    return number - first;
  }

  @Test
  void followersInOneProgramSeeEachStepOnce() {
    Path path = create(false);
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps();
      try (H5File same = Hdf5.open(path, FOLLOW);
          Session session = Hdf5.session("native");
          H5File other = session.open(path, FOLLOW);
          StepReader near = same.follow();
          StepReader far = other.follow()) {
        for (int step = 0; step < STEPS; step++) {
          assertThat(far.next(NOW)).isEmpty();
          write(file, step, false);
          assertThat(take(near, step)).isEqualTo(1);
          assertThat(take(far, step)).isEqualTo(1);
          assertThat(far.writer()).isEqualTo(StepPage.Writer.WRITING);
        }
        file.closeAsync().join();
        assertThat(far.iterator().hasNext()).isFalse();
        assertThat(near.iterator().hasNext()).isFalse();
        assertThat(far.writer()).isEqualTo(StepPage.Writer.ENDED);
      }
    }
    try (H5File file = Hdf5.open(path);
        StepReader all = file.follow()) {
      assertThat(take(all, 0)).isEqualTo(STEPS);
    }
    Oracle.h5dump().run("-H", path.toString()).orFail();
  }

  @Test
  void h5pySeesTheSameSteps() {
    Path path = create(true);
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps();
      try (Dialogue reader = Dialogue.h5py(READER, Map.of(), path.toString())) {
        assertThat(reader.hear()).isEqualTo("ready");
        for (int step = 0; step < STEPS; step++) {
          write(file, step, true);
          assertThat(reader.ask("look")).isEqualTo((step + 1) + " True");
          if (step % 8 == 0) {
            assertThat(reader.ask("again")).isEqualTo((step + 1) + " True");
          }
        }
      }
    }
  }

  @Test
  void stepsThatAreBufferedArePublishedInTime() {
    Path path = create(true);
    StepOptions options = StepOptions.builder().flushEvery(Duration.ofMillis(20)).build();
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps(options);
      try (Session session = Hdf5.session("native");
          H5File other = session.open(path, FOLLOW);
          StepReader far = other.follow()) {
        for (int step = 0; step < STEPS; step++) {
          write(file, step, true);
        }
        for (int step = 0; step < STEPS; step++) {
          Step next = far.next(LONG).orElseThrow();
          assertThat(next.number()).isEqualTo(step);
          check(next);
          assertThat(next.slice("/notes").readStrings()).containsExactly("step " + step);
        }
      }
    }
  }

  /** A reader beside a writer that does not wait for it. */
  @Test
  void stepsAreNeverTorn() {
    Path path = create(false);
    try (Dialogue writer = Dialogue.java(Writer.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW);
          StepReader reader = file.follow()) {
        writer.say("300");
        long expected = 0;
        for (Step step : reader) {
          assertThat(step.number()).isEqualTo(expected);
          check(step);
          expected++;
        }
        assertThat(expected).isEqualTo(300);
      }
    }
  }

  @Test
  void aKilledWriterLeavesItsPublishedSteps() {
    Path path = create(false);
    try (Dialogue writer = Dialogue.java(Writer.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW);
          StepReader reader = file.follow()) {
        writer.say("1000000");
        for (int step = 0; step < 50; step++) {
          check(reader.next(LONG).orElseThrow());
        }
        writer.kill();
        assertThatThrownBy(() -> reader.forEach(StepsTest::check))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("has ended without closing the file");
        assertThat(reader.writer()).isEqualTo(StepPage.Writer.LOST);
      }
    }
    OpenOptions again = OpenOptions.EDIT.withProperty("clearConsistencyFlags", "true");
    int steps;
    try (H5File file = Hdf5.open(path, again)) {
      file.startSteps();
      try (StepReader reader = file.follow()) {
        steps = take(reader, 0);
        assertThat(steps).isGreaterThanOrEqualTo(50);
        assertThat(file.dataset("frames").shape()[0]).isEqualTo(steps);
        write(file, steps, false);
        assertThat(take(reader, steps)).isEqualTo(1);
      }
    }
  }

  /** The writer in a separate process: writes as many steps as it is told. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      try (H5File file = Hdf5.openForEdit(arguments[0]);
          Scanner lines = new Scanner(System.in)) {
        file.startSteps();
        System.out.println("ready");
        int count = Integer.parseInt(lines.nextLine());
        for (int step = 0; step < count; step++) {
          write(file, step, false);
        }
      }
    }
  }

  @Test
  void lateReadersBeginWhereTheyLike() {
    Path path = create(false);
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps();
      for (int step = 0; step < 10; step++) {
        write(file, step, false);
      }
      FollowOptions newest = FollowOptions.builder().fromNewest(true).build();
      try (StepReader reader = file.follow(newest)) {
        assertThat(take(reader, 9)).isEqualTo(1);
      }
      try (StepReader reader = file.follow(FollowOptions.builder().keepLast(3).build())) {
        assertThat(take(reader, 7)).isEqualTo(3);
        assertThat(reader.skipped()).isEqualTo(7);
        for (int step = 10; step < 14; step++) {
          write(file, step, false);
        }
        assertThat(take(reader, 11)).isEqualTo(3);
        assertThat(reader.skipped()).isEqualTo(8);
      }
    }
  }

  @Test
  void aWriterWaitsForReadersThatSayso() throws InterruptedException {
    Path path = create(false);
    StepOptions quick = StepOptions.builder().timeout(Duration.ofMillis(50)).build();
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps(quick);
      StepReader reader = file.follow(FollowOptions.builder().block(2).build());
      write(file, 0, false);
      write(file, 1, false);
      assertThatThrownBy(() -> write(file, 2, false))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("policy BLOCK")
          .hasMessageContaining("the step is kept");
      check(reader.next(NOW).orElseThrow());
      List<Long> seen = new ArrayList<>();
      Thread slow =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 9; i++) {
                  seen.add(reader.next(LONG).orElseThrow().number());
                }
              });
      file.flush();
      for (int step = 3; step < 10; step++) {
        try {
          write(file, step, false);
        } catch (StorageException late) {
          file.flush(); // a slow machine
        }
      }
      slow.join();
      assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
      reader.close();
      for (int step = 10; step < 20; step++) {
        write(file, step, false); // for nobody
      }
    }
  }

  @Test
  void anotherProgramsWriterDoesNotWait() {
    Path path = create(false);
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps();
      try (Session session = Hdf5.session("native");
          H5File other = session.open(path, FOLLOW)) {
        assertThatThrownBy(() -> other.follow(FollowOptions.builder().block(2).build()))
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("BLOCK")
            .hasMessageContaining("EVERY");
      }
    }
  }

  @Test
  void misuseIsRefused() {
    Path path = create(false);
    try (H5File file = Hdf5.open(path, FOLLOW)) {
      assertThatThrownBy(file::startSteps)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("opened for reading");
      assertThatThrownBy(file::follow)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("a file without steps");
    }
    try (H5File file = Hdf5.openForEdit(path)) {
      assertThatThrownBy(file::beginStep)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("not started");
      Dataset fixed = file.createDataset("fixed", new int[3]);
      file.startSteps();
      assertThatThrownBy(file::startSteps).isInstanceOf(InvalidUseException.class);
      Dataset frames = file.dataset("frames");
      assertThatThrownBy(() -> frames.append(new short[4][4]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("outside a step");
      assertThatThrownBy(file::endStep).hasMessageContaining("outside a step");
      assertThatThrownBy(file::abandonStep).hasMessageContaining("outside a step");
      write(file, 0, false);
      file.beginStep();
      assertThatThrownBy(file::beginStep)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("not nested");
      assertThatThrownBy(() -> fixed.write(new int[] {1, 2, 3}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("has no steps");
      assertThatThrownBy(() -> fixed.append(1)).isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> frames.slice("0").write(new short[4][4]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("which a published step has");
      assertThatThrownBy(() -> frames.append(new short[3])).isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> file.createGroup("other")).isInstanceOf(InvalidUseException.class);
      file.abandonStep();
      try (StepReader reader = file.follow()) {
        Step step = reader.iterator().next();
        assertThatThrownBy(() -> step.slice("/none")).isInstanceOf(NotFoundException.class);
      }
      StepReader closed = file.follow();
      closed.close();
      assertThatThrownBy(() -> closed.next(NOW)).isInstanceOf(InvalidUseException.class);
    }
  }

  @Test
  void aStepThatFailsIsDropped() {
    Path path = create(false);
    StepOptions small = StepOptions.builder().bufferBytes(10).build();
    try (H5File file = Hdf5.openForEdit(path)) {
      file.startSteps(small);
      write(file, 0, false);
      assertThatThrownBy(() ->
              file.step(() -> {
                file.dataset("g/value0").append(new double[500]);
                file.dataset("frames").append(new short[4][4]);
                throw new IllegalStateException("failed");
              }))
          .isInstanceOf(IllegalStateException.class);
      write(file, 1, false);
      write(file, 2, false);
      try (StepReader reader = file.follow()) {
        assertThat(take(reader, 0)).isEqualTo(3);
      }
    }
  }

  @Test
  void connectorsWithoutReadersRefuseSteps() {
    try (Session session = Hdf5.session("native");
        H5File file = session.create(folder.resolve("old.h5"))) {
      create(file, false);
      assertThatThrownBy(file::startSteps)
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("superblock of version 2");
    }
    try (H5File file = Hdf5.createInMemory()) {
      create(file, false);
      assertThatThrownBy(file::startSteps)
          .isInstanceOfAny(InvalidUseException.class, UnsupportedFeatureException.class);
    }
  }
}
