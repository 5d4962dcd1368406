package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is pushed down from SQL, joins and pruned schemas, and the other kinds of files. */
final class PushDownTest {

  @TempDir Path folder;

  private Path weather;

  @BeforeEach
  void write() {
    weather = folder.resolve("weather.nc");
    ReadTest.writeWeather(weather, LocalDateTime.of(2026, 1, 1, 0, 0));
  }

  private static SparkSession spark() {
    return LocalSpark.session();
  }

  private void createView(String name, String more) {
    spark()
        .sql(
            "CREATE OR REPLACE TEMPORARY VIEW "
                + name
                + " USING hyperslab OPTIONS (path '"
                + weather
                + "', variables '/t'"
                + more
                + ")");
  }

  @Test
  void viewsOfSqlAreTables() {
    createView("weather", "");
    assertThat(LocalSpark.rows(spark().sql("SELECT month(time), count(*) FROM weather GROUP BY 1")))
        .containsExactly("[1,60]");
    Dataset<Row> hour = spark().sql("SELECT t FROM weather WHERE hour(time) = 6 AND lat < 0");
    assertThat(hour.collectAsList()).hasSize(5);
  }

  @Test
  void joinsRestrictWhatIsRead() {
    createView("weather", "");
    spark().range(3, 4).selectExpr("cast(id as float) as lon").createOrReplaceTempView("wanted");
    Dataset<Row> joined =
        spark().sql("SELECT /*+ BROADCAST(w) */ t.t FROM weather t JOIN wanted w ON t.lon = w.lon");
    assertThat(joined.collectAsList()).hasSize(12);
  }

  @Test
  void numbersAreAsStoredWithoutDecoding() {
    Dataset<Row> table =
        ReadTest.reader()
            .option("variables", "/t AS stored")
            .option("decode", "false")
            .option("coordinates", "both")
            .load(weather.toString());
    assertThat(table.schema().simpleString())
        .isEqualTo(
            "struct<time:int,time_index:bigint,lat:double,lat_index:bigint,lon:float,"
                + "lon_index:bigint,stored:smallint>");
    assertThat(LocalSpark.rows(table.where("time_index = 0 and lat_index = 1 and lon_index = 2")))
        .containsExactly("[0,0,0.0,1,2.0,2,-999]");
  }

  @Test
  void rowsOfTasksAscendWhereChunksAreWholeRows() {
    Path path = folder.resolve("rows.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("x", new double[100][7]);
    }
    Dataset<Row> table = ReadTest.reader().load(path.toString());
    Dataset<Row> sorted = table.sortWithinPartitions("dim_0", "dim_1");
    assertThat(LocalSpark.plan(sorted)).doesNotContain("Sort [");
  }

  @Test
  void aGivenSchemaMustBeThatOfTheFile() {
    Dataset<Row> some =
        ReadTest.reader()
            .schema("t double, lat double")
            .option("variables", "/t")
            .load(weather.toString());
    assertThat(some.where("lat > 0").collectAsList()).hasSize(20);
    Dataset<Row> wrong =
        ReadTest.reader().schema("t int").option("variables", "/t").load(weather.toString());
    assertThatThrownBy(wrong::collectAsList)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("schema");
  }

  @Test
  void zarrStoresAreTables() {
    Path store = folder.resolve("weather.zarr");
    FileConverter.convert(weather, store);
    Dataset<Row> table = ReadTest.reader().option("variables", "/t").load(store.toString());
    assertThat(table.selectExpr("sum(t)").first().getDouble(0))
        .isEqualTo(59 * 100 + 0.5 * (60 * 59 / 2 - 7));
  }

  @Test
  void classicFilesAreTables() {
    for (String kind : new String[] {"-3", "-6"}) {
      Path classic = folder.resolve("classic" + kind + ".nc");
      Oracle.program("nccopy").run(kind, weather.toString(), classic.toString()).orFail();
      Dataset<Row> table = ReadTest.reader().option("variables", "/t").load(classic.toString());
      Dataset<Row> same = ReadTest.reader().option("variables", "/t").load(weather.toString());
      assertThat(LocalSpark.rows(table.where("lat < 1 and lon >= 2").orderBy("time", "lat", "lon")))
          .isEqualTo(
              LocalSpark.rows(same.where("lat < 1 and lon >= 2").orderBy("time", "lat", "lon")))
          .hasSize(24);
      assertThat(table.selectExpr("sum(t)").first().getDouble(0))
          .isEqualTo(59 * 100 + 0.5 * (60 * 59 / 2 - 7));
    }
  }

  @Test
  void statisticsAnswerForVariables() {
    Path path = folder.resolve("known.h5");
    double[] values = new double[1000];
    int[] whole = new int[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == 500 ? Double.NaN : i / 4.0;
      whole[i] = i - 700;
    }
    try (H5File file = Hdf5.create(path)) {
      DatasetOptions kept = DatasetOptions.chunked(100).statistics(100).build();
      file.datasetBuilder("v").value(values).options(kept).create();
      file.datasetBuilder("n").value(whole).options(kept).create();
    }
    Dataset<Row> table = ReadTest.reader().load(path.toString());
    Dataset<Row> known =
        table.selectExpr("min(v)", "max(v)", "min(n)", "max(n)", "sum(n)", "count(*)");
    assertThat(LocalSpark.rows(known)).containsExactly("[0.0,NaN,-700,299,-200500,1000]");
    assertThat(LocalSpark.plan(known)).contains("LocalTableScan").doesNotContain("BatchScan");
    Dataset<Row> part = table.where("dim_0 < 500").selectExpr("min(v)", "max(v)", "sum(n)");
    assertThat(LocalSpark.rows(part)).containsExactly("[0.0,124.75,-225250]");
  }

  @Test
  void twoVariablesAreTwoColumns() {
    Path path = folder.resolve("two.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("a/x", new int[][] {{1, 2}, {3, 4}});
      file.createDataset("b/x", new float[][] {{5, 6}, {7, 8}});
    }
    Dataset<Row> table =
        ReadTest.reader().option("variables", "/a/x AS first,/b/x AS second").load(path.toString());
    assertThat(LocalSpark.rows(table.where("dim_1 = 1").orderBy("dim_0")))
        .isEqualTo(List.of("[0,1,2,6.0]", "[1,1,4,8.0]"));
  }
}
