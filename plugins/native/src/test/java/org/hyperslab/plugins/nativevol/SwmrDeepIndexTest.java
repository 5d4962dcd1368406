package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Effort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests SWMR with deep indexes: squares of one-element chunks grow in both dimensions until their
 * B-trees have three levels. One process writes, another follows.
 */
final class SwmrDeepIndexTest {

  private static final int SIDE = 150;
  private static final int STEP = SIDE / Effort.times(3, 6);

  private static final List<String> NAMES = List.of("plain", "filtered");

  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);
  private static final OpenOptions APPEND =
      OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS);

  /** Reads an extent from each line of input, and writes rows and columns up to it. */
  private static final String WRITER =
      """
      import sys, h5py, numpy
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      options = dict(shape=(0, 0), maxshape=(None, None), chunks=(1, 1), dtype='i4')
      all = [f.create_dataset('plain', **options),
             f.create_dataset('filtered', compression='gzip', **options)]
      f.swmr_mode = True
      print('ready')
      old = 0
      for line in sys.stdin:
          k = int(line)
          want = numpy.add.outer(1000 * numpy.arange(k), numpy.arange(k)).astype('i4')
          for d in all:
              d.resize((k, k))
              d[:old, old:] = want[:old, old:]
              d[old:, :] = want[old:, :]
              d.flush()
          old = k
          print(k)
      """;

  /** Follows the writer, and prints the extent and whether the elements are right. */
  private static final String READER =
      """
      import sys, h5py, numpy
      f = h5py.File(sys.argv[1], 'r', libver='latest', swmr=True)
      all = [f['plain'], f['filtered']]
      print('ready')
      for line in sys.stdin:
          good = True
          for d in all:
              d.refresh()
              k = d.shape[0]
              want = numpy.add.outer(1000 * numpy.arange(k), numpy.arange(k))
              good = good and d.shape == (k, k) and (d[:, :] == want).all()
          print(k, bool(good))
      """;

  @TempDir private Path folder;

  @Test
  void followsTheLibraryWriting() {
    Path path = folder.resolve("c.h5");
    try (Dialogue writer = Dialogue.h5py(WRITER, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW)) {
        for (int side = STEP; side <= SIDE; side += STEP) {
          assertThat(writer.ask(Integer.toString(side))).isEqualTo(Integer.toString(side));
          for (String name : NAMES) {
            file.dataset(name).refresh();
            assertThat(SwmrTest.checkSquare(file.dataset(name))).isEqualTo(side);
          }
        }
      }
    }
  }

  @Test
  void libraryReadsWhileWriting() {
    Path path = create();
    try (H5File file = Hdf5.open(path, APPEND);
        Dialogue reader = Dialogue.h5py(READER, Map.of(), path.toString())) {
      assertThat(reader.hear()).isEqualTo("ready");
      for (int side = STEP; side <= SIDE; side += STEP) {
        grow(file, side);
        assertThat(reader.ask("now")).isEqualTo(side + " True");
      }
    }
    try (H5File file = Hdf5.open(path)) {
      for (String name : NAMES) {
        assertThat(SwmrTest.checkSquare(file.dataset(name))).isEqualTo(SIDE);
        assertThat(file.dataset(name).datasetInfo().storage().chunkCount())
            .isEqualTo((long) SIDE * SIDE);
      }
    }
  }

  /** A reader beside a writer that does not wait for it sees squares as some flush left them. */
  @Test
  void neverSeesAnInconsistentState() {
    Path path = create();
    try (Dialogue writer = Dialogue.java(Grower.class, Map.of(), path.toString())) {
      assertThat(writer.hear()).isEqualTo("ready");
      try (H5File file = Hdf5.open(path, FOLLOW)) {
        writer.say("all");
        for (int side = 0; side < SIDE; ) {
          int before = side;
          for (String name : NAMES) {
            file.dataset(name).refresh();
            side = SwmrTest.checkSquare(file.dataset(name));
          }
          assertThat(side).isGreaterThanOrEqualTo(before);
        }
      }
    }
  }

  private Path create() {
    Path path = folder.resolve("ours.h5");
    CreateOptions options = CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withSwmr(true));
    try (H5File file = Hdf5.create(path, options)) {
      Dataspace empty = Dataspace.simple(new long[] {0, 0}, new long[] {-1, -1});
      DatasetOptions.Builder chunks = DatasetOptions.chunked(1, 1);
      file.datasetBuilder("plain")
          .type(Datatypes.I32LE)
          .space(empty)
          .options(chunks.build())
          .create();
      file.datasetBuilder("filtered")
          .type(Datatypes.I32LE)
          .space(empty)
          .options(chunks.deflate(1).build())
          .create();
    }
    return path;
  }

  /** Adds rows and columns up to a side, and flushes. */
  private static void grow(H5File file, int side) {
    for (String name : NAMES) {
      Dataset square = file.dataset(name);
      int old = (int) square.shape()[0];
      square.setExtent(side, side);
      write(square, new int[] {0, old}, new int[] {old, side - old});
      write(square, new int[] {old, 0}, new int[] {side - old, side});
    }
    file.flush();
  }

  private static void write(Dataset square, int[] from, int[] count) {
    int[] values = new int[count[0] * count[1]];
    for (int i = 0; i < values.length; i++) {
      values[i] = 1000 * (from[0] + i / count[1]) + from[1] + i % count[1];
    }
    if (values.length > 0) {
      long[] start = {from[0], from[1]};
      square.write(Selection.box(start, new long[] {count[0], count[1]}), values);
    }
  }

  /** The writer in a separate process. */
  static final class Grower {
    private Grower() {}

    /** Grows to the end when asked. */
    public static void main(String[] arguments) {
      try (H5File file = Hdf5.open(Path.of(arguments[0]), APPEND);
          Scanner lines = new Scanner(System.in)) {
        System.out.println("ready");
        if (lines.hasNextLine() && lines.nextLine().equals("all")) {
          for (int side = STEP; side <= SIDE; side += STEP) {
            grow(file, side);
          }
        }
      }
    }
  }
}
