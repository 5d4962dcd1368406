package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that files in which space is freed again and again stay nearly as small as those of h5py.
 * The ordinary gate executes every third history. {@code -Dhyperslab.space.table=FILE} executes all
 * and writes the table of sizes to the file.
 */
final class SpaceHistoriesTest {

  private static final double MOST = 1.5;

  private static final String HEAD =
      """
      # Sizes of files in which space is freed again and again

      Each history is executed once by Hyperslab and once by h5py (HDF5 1.10), in the same run. `SpaceHistory.java` and `histories.py` beside
      `SpaceHistoriesTest` define them; the test fails above a ratio of 1.5. The table is written by

          mvn -pl plugins/native -am test -Dtest=SpaceHistoriesTest -Dsurefire.failIfNoSpecifiedTests=false \\
            -Dhyperslab.space.table=$PWD/benchmarks/space/histories.md

      """;

  @TempDir private Path folder;

  @Test
  void filesStayNearlyAsSmallAsThoseOfTheLibrary() throws Exception {
    String document = System.getProperty("hyperslab.space.table");
    int step = document == null ? Effort.times(3, 1) : 1;
    HistoryTable table =
        HistoryTable.measured(
            folder,
            Arrays.stream(SpaceHistory.values())
                .filter(history -> history.ordinal() % step == 0)
                .toList());
    System.out.println(table.text());
    if (document != null) {
      Files.createDirectories(Path.of(document).toAbsolutePath().getParent());
      Files.writeString(Path.of(document), HEAD + table.text());
    }
    for (HistoryTable.Line line : table.lines()) {
      Path ours = folder.resolve(line.history().title() + ".ours.h5");
      Oracle.h5dump().run(ours.toString()).orFail();
    }
    assertThat(table.lines()).as(table.text()).allMatch(line -> line.ratio() <= MOST);
  }

  @Test
  void datasetsCreatedWithAValueTakeNoMoreThanThoseCreatedEmptyAndThenWritten() throws Exception {
    Path atOnce = folder.resolve("at-once.h5");
    SpaceHistory.MANY_SMALL_DATASETS.execute(atOnce);
    Path inTurn = folder.resolve("in-turn.h5");
    try (H5File file = Hdf5.create(inTurn)) {
      for (int each = 0; each < 1000; each++) {
        try (Dataset dataset = file.createDataset("d" + each, double.class, 10)) {
          dataset.write(SpaceHistory.doubles(10, each));
        }
      }
    }
    assertThat(Files.size(atOnce)).isLessThanOrEqualTo(Files.size(inTurn));
    Oracle.h5diff().run(atOnce.toString(), inTurn.toString()).orFail();
  }
}
