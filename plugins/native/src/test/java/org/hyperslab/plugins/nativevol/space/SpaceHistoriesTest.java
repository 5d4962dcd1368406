package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files in which space is freed again and again stay nearly as small as those of h5py. With {@code
 * -Dhyperslab.space.table=FILE} the table of sizes is written there as a document.
 */
final class SpaceHistoriesTest {

  private static final double MOST = 1.5;

  private static final String HEAD =
      """
      # Sizes of files in which space is freed again and again

      Each history is lived once by Hyperslab and once by h5py (HDF5 1.10), in the same run. What they do is in `History.java` and
      `histories.py` beside `SpaceHistoriesTest`, which fails above a ratio of 1.5. Written by

          mvn -pl plugins/native -am test -Dtest=SpaceHistoriesTest -Dsurefire.failIfNoSpecifiedTests=false \\
            -Dhyperslab.space.table=$PWD/benchmarks/space/histories.md

      """;

  @TempDir private Path folder;

  @Test
  void filesStayNearlyAsSmallAsThoseOfTheLibrary() throws Exception {
    HistoryTable table = HistoryTable.measured(folder);
    System.out.println(table.text());
    String document = System.getProperty("hyperslab.space.table");
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
    History.MANY_SMALL_DATASETS.live(atOnce);
    Path inTurn = folder.resolve("in-turn.h5");
    try (H5File file = Hdf5.create(inTurn)) {
      for (int each = 0; each < 1000; each++) {
        try (Dataset dataset = file.createDataset("d" + each, double.class, 10)) {
          dataset.write(History.doubles(10, each));
        }
      }
    }
    assertThat(Files.size(atOnce)).isLessThanOrEqualTo(Files.size(inTurn));
    Oracle.h5diff().run(atOnce.toString(), inTurn.toString()).orFail();
  }
}
