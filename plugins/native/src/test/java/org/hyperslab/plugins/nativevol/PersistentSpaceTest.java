package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests free space that a file keeps on disk, with h5stat and the next edit of the C library. */
final class PersistentSpaceTest {

  private static final int ELEMENTS = 4000;
  private static final SpaceStrategy KEPT =
      new SpaceStrategy(SpaceStrategy.Kind.FREE_SPACE, true, 1, 4096);

  private static final Pattern TRACKED = Pattern.compile("tracked free space: (\\d+) bytes");

  @TempDir private Path folder;

  private static double[] values(int from) {
    double[] values = new double[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      values[i] = from + i;
    }
    return values;
  }

  private static void fill(H5File file) {
    for (int i = 0; i < 6; i++) {
      file.createDataset("d" + i, values(i)).close();
    }
  }

  private long freeByLibrary(Path path) {
    String text = Oracle.program("h5stat").run("-S", path.toString()).orFail().output();
    Matcher tracked = TRACKED.matcher(text);
    assertThat(tracked.find()).as(text).isTrue();
    return Long.parseLong(tracked.group(1));
  }

  private Path edited() {
    Path path = folder.resolve("kept.h5");
    try (H5File file = Hdf5.create(path, CreateOptions.DEFAULT.withSpace(KEPT))) {
      fill(file);
    }
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      file.root().delete("d1");
      file.root().delete("d3");
    }
    return path;
  }

  @Test
  void libraryReadsTheFreeSpace() {
    Path path = edited();
    assertThat(freeByLibrary(path)).isGreaterThanOrEqualTo(2 * 8 * ELEMENTS);
    Oracle.h5dump().run(path.toString()).orFail();
  }

  @Test
  void libraryAndHyperslabReuseFreeSpace() throws IOException {
    Path path = edited();
    long size = Files.size(path);
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            with h5py.File(sys.argv[1], 'r+') as f:
                f['again'] = numpy.arange(4000) + 1000.5
            """,
            path.toString())
        .orFail();
    assertThat(Files.size(path)).isLessThan(size + 8 * ELEMENTS / 2);
    check(path, "again", 1000.5);
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      file.createDataset("third", values(3)).close();
    }
    assertThat(Files.size(path)).isLessThan(size + 8 * ELEMENTS / 2);
    check(path, "third", 3);
    check(path, "again", 1000.5);
    for (int kept : new int[] {0, 2, 4, 5}) {
      check(path, "d" + kept, kept);
    }
    Oracle.h5dump().run(path.toString()).orFail();
  }

  private static void check(Path path, String name, double first) {
    try (H5File file = Hdf5.open(path)) {
      double[] all = file.dataset(name).readDoubles();
      for (int i = 0; i < ELEMENTS; i++) {
        assertThat(all[i]).isEqualTo(first + i);
      }
    }
  }

  @Test
  void manyRoundsWithTheLibraryLoseNothing() throws IOException {
    Path path = edited();
    long largest = 0;
    for (int round = 0; round < 5; round++) {
      try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
        file.createDataset("ours", values(round)).close();
        file.flush();
        file.root().delete("ours");
        file.createDataset("kept" + round, new int[] {round}).close();
      }
      Oracle.h5py()
          .run(
              """
              import sys, h5py, numpy
              with h5py.File(sys.argv[1], 'r+') as f:
                  f['theirs'] = numpy.zeros(3000)
                  del f['theirs']
                  f['t' + sys.argv[2]] = int(sys.argv[2])
              """,
              path.toString(),
              Integer.toString(round))
          .orFail();
      check(path, "d5", 5);
      largest = Math.max(largest, Files.size(path));
    }
    assertThat(largest).isLessThan(9L * 8 * ELEMENTS);
    Oracle.h5dump().run(path.toString()).orFail();
    assertThat(freeByLibrary(path)).isPositive();
  }

  /** The library refuses the same user blocks, and cannot edit files that have them. */
  @Test
  void userBlockOfAPagedFileConsistsOfWholePages() {
    Path path = folder.resolve("paged.h5");
    CreateOptions paged =
        CreateOptions.DEFAULT.withSpace(new SpaceStrategy(SpaceStrategy.Kind.PAGE, false, 1, 4096));
    assertThatThrownBy(() -> Hdf5.create(path, paged.withUserBlock(512)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("512")
        .hasMessageContaining("page size 4096")
        .hasMessageContaining("paged.h5");
    assertThat(path).doesNotExist();
    try (H5File file = Hdf5.create(path, paged.withUserBlock(8192))) {
      file.createDataset("d", values(1)).close();
    }
    String text = Oracle.program("h5dump").run("-d", "d", path.toString()).orFail().output();
    assertThat(text).contains("(0): 1, 2, 3");
  }
}
