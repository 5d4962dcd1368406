package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Scanner;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that one process can follow another that appends to datasets, with h5py and this library in
 * both roles. Each step is a line of a dialogue, so that no process waits for a time.
 */
final class SwmrTest {

  private static final int ROUNDS = 14;

  /**
   * The number of rows and columns, of one chunk each, by which the square grows, so that its index
   * gets deeper.
   */
  private static final int SQUARE_STEP = 6;

  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);
  private static final OpenOptions APPEND =
      OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS);

  /** Appends rounds: round r makes the extent 7(r+1) longer, element i holding 3i+1. */
  private static final String WRITER =
      """
      import sys, h5py, numpy
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      d = f.create_dataset('d', (0,), maxshape=(None,), chunks=(5,), dtype='i8')
      z = f.create_dataset('z', (0, 3), maxshape=(None, 3), chunks=(4, 2), dtype='f8',
                           compression='gzip', shuffle=True, fletcher32=True)
      m = f.create_dataset('m', (0, 0), maxshape=(None, None), chunks=(1, 1), dtype='i4')
      s = f.create_dataset('s', (1000,), maxshape=(2000,), chunks=(10,), dtype='i4')
      f.swmr_mode = True
      print('ready')
      n = 0
      for line in sys.stdin:
          if line.strip() == 'close':
              f.close()
              print('closed')
              break
          n += 7 * (int(line) + 1)
          d.resize((n,)); d[:] = numpy.arange(n) * 3 + 1
          z.resize((n, 3)); z[:] = numpy.arange(3 * n).reshape(n, 3) / 2
          k = 6 * (int(line) + 1)
          m.resize((k, k)); m[:, :] = numpy.add.outer(1000 * numpy.arange(k), numpy.arange(k))
          s[int(line) * 10:int(line) * 10 + 10] = int(line) + 1
          for x in (d, z, m, s): x.flush()
          print(n)
      """;

  /** Follows the same rounds, and prints the length and whether the elements are right. */
  private static final String READER =
      """
      import sys, h5py, numpy
      f = h5py.File(sys.argv[1], 'r', libver='latest', swmr=True)
      d, z, m, s = f['d'], f['z'], f['m'], f['s']
      print('ready')
      for line in sys.stdin:
          for x in (d, z, m, s): x.refresh()
          n = d.shape[0]
          good = (d[:] == numpy.arange(n) * 3 + 1).all()
          good = good and z.shape[0] == n and (z[:] == numpy.arange(3 * n).reshape(n, 3) / 2).all()
          k = 6 * int(line)
          want = numpy.add.outer(1000 * numpy.arange(k), numpy.arange(k))
          good = good and m.shape == (k, k) and (m[:, :] == want).all()
          k = int(line)
          good = good and (s[:10 * k] == numpy.repeat(numpy.arange(k) + 1, 10)).all()
          good = good and (s[10 * k:] == 0).all()
          print(n, bool(good))
      """;

  @TempDir private Path folder;

  @Test
  void followsTheLibraryWriting() {
    Path path = folder.resolve("c.h5");
    try (Dialogue writer = Dialogue.h5py(WRITER, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW)) {
        follow(file, round -> Long.parseLong(writer.ask(Integer.toString(round))));
        assertThat(writer.ask("close")).isEqualTo("closed");
      }
    }
    try (H5File file = Hdf5.open(path)) {
      check(file, length(ROUNDS - 1), ROUNDS);
    }
  }

  @Test
  void libraryReadsWhileWriting() {
    Path path = create();
    try (H5File file = Hdf5.open(path, APPEND);
        Dialogue reader = Dialogue.h5py(READER, Map.of(), path.toString())) {
      assertThat(reader.hear()).isEqualTo("ready");
      for (int round = 0; round < ROUNDS; round++) {
        append(file, round);
        assertThat(reader.ask(Integer.toString(round + 1))).isEqualTo(length(round) + " True");
      }
    }
    Oracle.h5dump().run("-H", path.toString()).orFail();
    try (H5File file = Hdf5.open(path)) {
      check(file, length(ROUNDS - 1), ROUNDS);
    }
  }

  @Test
  void followsAnotherProcessOfThisLibrary() {
    Path path = create();
    try (Dialogue writer = Dialogue.java(Appender.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW)) {
        follow(file, round -> Long.parseLong(writer.ask(Integer.toString(round))));
      }
    }
  }

  /** A reader beside a writer that does not wait for it must see whole rounds, in order. */
  @Test
  void neverSeesAnInconsistentState() {
    Path path = create();
    try (Dialogue writer = Dialogue.java(Appender.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW)) {
        Dataset line = file.dataset("d");
        Dataset square = file.dataset("m");
        writer.say("all");
        long before = 0;
        while (before < length(ROUNDS - 1)) {
          line.refresh();
          long now = line.shape()[0];
          assertThat(now).isGreaterThanOrEqualTo(before);
          long[] all = line.readLongs(Selection.box(new long[] {0}, new long[] {now}));
          for (int i = 0; i < all.length; i++) {
            assertThat(all[i]).as("element %d of %d", i, now).isEqualTo(3L * i + 1);
          }
          before = now;
          square.refresh();
          checkSquare(square);
        }
      }
    }
  }

  @Test
  void flagsOfADeadWriterExcludeOthersUntilCleared() {
    Path path = create();
    try (Dialogue writer = Dialogue.java(Appender.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      assertThat(writer.ask("0")).isEqualTo("7");
      writer.kill();
    }
    assertThatThrownBy(() -> Hdf5.open(path, OpenOptions.EDIT))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("marked as open for writing")
        .hasMessageContaining("clear -s");
    OpenOptions clearing = OpenOptions.EDIT.withProperty("clearConsistencyFlags", "true");
    try (H5File file = Hdf5.open(path, clearing)) {
      check(file, 7, 1);
    }
    try (H5File file = Hdf5.open(path)) {
      check(file, 7, 1);
    }
  }

  @Test
  void refusesEditsThatReadersCannotFollow() {
    Path path = create();
    OpenOptions old = OpenOptions.EDIT.withBounds(FormatVersion.EARLIEST, FormatVersion.LATEST);
    try (H5File file = Hdf5.open(path, old)) {
      file.root().datasetBuilder("words").type(Datatypes.vlenString()).shape(4).create();
      file.root()
          .datasetBuilder("old")
          .type(Datatypes.I32LE)
          .shape(1)
          .maxShape(-1)
          .options(DatasetOptions.chunked(2).build())
          .create();
    }
    try (H5File file = Hdf5.open(path, APPEND)) {
      assertThatThrownBy(() -> file.createGroup("g")).isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> file.dataset("d").setAttribute("a", 1))
          .isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> file.dataset("words").write(new String[] {"a", "b", "c", "d"}))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> file.dataset("old").write(new int[] {1}))
          .isInstanceOf(UnsupportedFeatureException.class);
      file.dataset("d").setExtent(5);
      assertThatThrownBy(() -> file.dataset("d").setExtent(4))
          .isInstanceOf(InvalidUseException.class);
    }
    Path earlier = folder.resolve("old.h5");
    Hdf5.create(earlier).close();
    assertThatThrownBy(() -> Hdf5.open(earlier, APPEND))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("superblock of version 2");
  }

  private Path create() {
    Path path = folder.resolve("ours.h5");
    CreateOptions options = CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withSwmr(true));
    try (H5File file = Hdf5.create(path, options)) {
      file.datasetBuilder("d")
          .type(Datatypes.I64LE)
          .shape(0)
          .maxShape(-1)
          .options(DatasetOptions.chunked(5).build())
          .create();
      file.datasetBuilder("z")
          .type(Datatypes.F64LE)
          .shape(0, 3)
          .maxShape(-1, 3)
          .options(DatasetOptions.chunked(4, 2).shuffle().deflate(4).build())
          .create();
      file.datasetBuilder("m")
          .type(Datatypes.I32LE)
          .shape(0, 0)
          .maxShape(-1, -1)
          .options(DatasetOptions.chunked(1, 1).build())
          .create();
      file.datasetBuilder("s")
          .type(Datatypes.I32LE)
          .shape(1000)
          .maxShape(2000)
          .options(DatasetOptions.chunked(10).build())
          .create();
    }
    return path;
  }

  private static long length(int round) {
    return 7L * (round + 1) * (round + 2) / 2;
  }

  /** Appends one round and flushes; the length that the dataset has now. */
  private static long append(H5File file, int round) {
    int n = (int) length(round);
    long[] line = new long[n];
    double[] rows = new double[3 * n];
    for (int i = 0; i < n; i++) {
      line[i] = 3L * i + 1;
    }
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i / 2.0;
    }
    file.dataset("d").setExtent(n);
    file.dataset("d").write(line);
    file.dataset("z").setExtent(n, 3);
    file.dataset("z").write(rows);
    int side = SQUARE_STEP * (round + 1);
    int[][] square = new int[side][side];
    for (int i = 0; i < side * side; i++) {
      square[i / side][i % side] = 1000 * (i / side) + i % side;
    }
    file.dataset("m").setExtent(side, side);
    file.dataset("m").write(square);
    int[] ten = new int[10];
    Arrays.fill(ten, round + 1);
    file.dataset("s").write(Selection.box(new long[] {10L * round}, new long[] {10}), ten);
    file.flush();
    return n;
  }

  private interface Round {
    long next(int round);
  }

  private static void follow(H5File file, Round next) {
    for (int round = 0; round < ROUNDS; round++) {
      long n = next.next(round);
      assertThat(n).isEqualTo(length(round));
      file.root().refresh();
      check(file, n, round + 1);
    }
  }

  private static void check(H5File file, long n, int rounds) {
    assertThat(file.dataset("d").shape()).containsExactly(n);
    assertThat(file.dataset("z").shape()).containsExactly(n, 3);
    long[] line = file.dataset("d").readLongs();
    double[] rows = file.dataset("z").readDoubles();
    for (int i = 0; i < n; i++) {
      assertThat(line[i]).isEqualTo(3L * i + 1);
      assertThat(rows[3 * i + 2]).isEqualTo((3 * i + 2) / 2.0);
    }
    assertThat(checkSquare(file.dataset("m"))).isEqualTo(SQUARE_STEP * rounds);
    int[] steps = file.dataset("s").readInts();
    for (int i = 0; i < steps.length; i++) {
      assertThat(steps[i]).isEqualTo(i / 10 < rounds ? i / 10 + 1 : 0);
    }
  }

  /** Checks the elements of the dataset with two unlimited dimensions; how many rows it has. */
  static int checkSquare(Dataset square) {
    long[] shape = square.shape();
    int side = (int) shape[0];
    assertThat(shape).containsExactly(side, side);
    int[] all = square.readInts(Selection.box(new long[] {0, 0}, shape));
    for (int i = 0; i < all.length; i++) {
      int expected = 1000 * (i / side) + i % side;
      if (all[i] != expected) {
        assertThat(all[i]).as("element %d of %d²", i, side).isEqualTo(expected);
      }
    }
    return side;
  }

  /** The writer in a separate process. */
  static final class Appender {
    private Appender() {}

    /** Reads round numbers, or {@code all}. */
    public static void main(String[] arguments) {
      try (H5File file = Hdf5.open(Path.of(arguments[0]), APPEND);
          Scanner lines = new Scanner(System.in)) {
        System.out.println("ready");
        while (lines.hasNextLine()) {
          String line = lines.nextLine();
          if (line.equals("all")) {
            for (int round = 0; round < ROUNDS; round++) {
              append(file, round);
            }
          } else {
            System.out.println(append(file, Integer.parseInt(line)));
          }
        }
      }
    }
  }

  @Test
  void oneProgramEditsAFileWithSwmrOrWithout() {
    Path path = folder.resolve("both.h5");
    Hdf5.create(path, CreateOptions.DEFAULT.withAccess(APPEND)).close();
    try (H5File plain = Hdf5.openForEdit(path)) {
      assertThatThrownBy(() -> Hdf5.open(path, APPEND))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=with SWMR, expected=without SWMR")
          .hasMessageContaining("close it first");
      Hdf5.open(path, FOLLOW).close();
      Hdf5.openForEdit(path).close();
      plain.createDataset("x", 1);
    }
    try (H5File publishing = Hdf5.open(path, APPEND)) {
      assertThatThrownBy(() -> Hdf5.openForEdit(path))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=without SWMR, expected=with SWMR");
      Hdf5.open(path).close();
      Hdf5.open(path, APPEND).close();
      try (H5File other = Hdf5.create(folder.resolve("other.h5"))) {
        other.root().createExternalLink("link", path.toString(), "/x");
        assertThat(other.dataset("link").readInt()).isEqualTo(1);
      }
      assertThat(publishing.dataset("x").readInt()).isEqualTo(1);
    }
  }

  @Test
  void aFileThatIsBeingCreatedIsNotPublishedYet() {
    Path path = folder.resolve("new.h5");
    try (H5File created = Hdf5.create(path, CreateOptions.DEFAULT.withAccess(APPEND))) {
      created.createDataset("x", 1);
      assertThatThrownBy(() -> Hdf5.open(path, APPEND)).isInstanceOf(InvalidUseException.class);
      Hdf5.openForEdit(path).close();
    }
  }
}
