package org.hyperslab.tools.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code query}, {@code index --statistics}, and what {@code verify} says of statistics. */
final class QueryCommandTest {

  /** An element with members of several kinds. */
  public record Cell(double temperature, double pressure, String name) {}

  @TempDir private Path folder;
  private String file;

  @BeforeEach
  void write() {
    file = folder.resolve("a.h5").toString();
    try (H5File made = Hdf5.create(file)) {
      made.createDataset("grid", new int[][] {{1, 2, 3}, {4, 5, 6}}).close();
      Cell[] cells = {new Cell(310, 1e5, "a,b"), new Cell(290, 1e5, ""), new Cell(320, 3e5, "c")};
      made.createDataset("cells", cells).close();
    }
  }

  @Test
  void printsIndicesCountsAndValues() {
    assertThat(CommandRun.of("query", file + ":/grid", "value > 4"))
        .isEqualTo(new CommandRun(0, "1,1\n1,2\n", ""));
    assertThat(CommandRun.of("query", file + ":/grid", "value in (1, 6)", "--count").out())
        .isEqualTo("2\n");
    assertThat(
            CommandRun.of("query", file + ":/grid", "value > 2", "--values", "--limit", "2").out())
        .isEqualTo("0,2\t3\n1,0\t4\n");
    assertThat(
            CommandRun.of(
                    "query",
                    file + ":/cells",
                    "temperature > 300 and pressure < 2e5",
                    "--values",
                    "--format",
                    "CSV")
                .out())
        .isEqualTo("i0,temperature,pressure,name\n0,310.0,100000.0,\"a,b\"\n");
    assertThat(
            CommandRun.of("query", file + ":/grid", "value < 3", "--values", "--format", "JSON")
                .out())
        .contains("\"count\":2", "\"indices\":[[0,0],[0,1]]", "\"values\":[1,2]");
  }

  @Test
  void summarizes() {
    assertThat(CommandRun.of("query", file + ":/grid").out())
        .contains("minimum 1\n", "maximum 6\n", "mean 3.5\n", "sum 21\n", "elements read 6\n");
    assertThat(
            CommandRun.of("query", file + ":/cells", "--field", "pressure", "--format", "JSON")
                .out())
        .contains("\"maximum\":300000.0");
  }

  @Test
  void saysWhatIsWrongWithAQuestion() {
    assertThat(CommandRun.of("query", file + ":/cells", "temprature > 3"))
        .satisfies(run -> assertThat(run.code()).isNotZero())
        .satisfies(run -> assertThat(run.err()).contains("temperature, pressure, name"));
    assertThat(CommandRun.of("query", file + ":/grid", "value >").err())
        .contains("at character 8", "a number");
    assertThat(CommandRun.of("query", file + ":/cells", "name > 3").err()).contains("a text");
    assertThat(CommandRun.of("query", file + ":/grid", "--count").code()).isEqualTo(2);
    assertThat(CommandRun.of("index", file).code()).isEqualTo(2);
  }

  @Test
  void indexesChecksAndTellsWhatIsStale() throws Exception {
    assertThat(CommandRun.of("index", "--statistics", file)).isEqualTo(new CommandRun(0, "", ""));
    assertThat(CommandRun.of("query", file + ":/grid").out()).contains("elements read 0\n");
    assertThat(CommandRun.of("verify", file).out()).doesNotContain("statistics");
    Oracle.h5py()
        .run("import h5py, sys; h5py.File(sys.argv[1], 'r+')['grid'][0, 0] = -9", file)
        .orFail();
    assertThat(CommandRun.of("query", file + ":/grid").out()).contains("minimum -9\n");
    assertThat(CommandRun.of("verify", file).out()).contains("statistics that are not used");
  }

  @Test
  void theConnectorIndexingKeepsThem() {
    String other = folder.resolve("b.h5").toString();
    try (Session session = Hdf5.session("indexing block=100 | native");
        H5File made = session.create(other);
        Dataset x = made.createDataset("x", new double[1000])) {
      x.rows(5, 6).write(3);
    }
    assertThat(CommandRun.of("query", other + ":/x").out())
        .contains("maximum 3.0\n", "elements read 0\n");
  }
}
