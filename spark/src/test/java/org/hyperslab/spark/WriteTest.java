package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfVariable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests writing of long tables as arrays. */
final class WriteTest {

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBesideTheOutput() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.filter(each -> each.getFileName().toString().startsWith("."))).isEmpty();
    }
  }

  /** Returns 5 times, 3 latitudes and 4 longitudes, in an arbitrary order. */
  private static Dataset<Row> cells(int firstTime) {
    return LocalSpark.session()
        .range(60)
        .selectExpr(
            "timestamp_ntz'2026-01-01 00:00:00' + make_interval(0, 0, 0, cast(id div 12 as int) + "
                + firstTime
                + ") as time",
            "cast((id div 4) % 3 * 10 as double) as lat",
            "cast(id % 4 as int) as lon",
            "if(id = 7, null, cast(id as float)) as t",
            "cast(id * 2 as int) as n")
        .orderBy("n");
  }

  private static DataFrameWriter<Row> writer(Dataset<Row> table) {
    return table
        .repartition(3)
        .write()
        .format("hyperslab")
        .option("dimensions", "time,lat=3,lon=4")
        .option("chunks", "2,2,3");
  }

  private List<String> read(Path path) {
    return LocalSpark.rows(ReadTest.reader().load(path.toString()).orderBy("time", "lat", "lon"));
  }

  @Test
  void aLongTableBecomesArraysAndIsReadBack() {
    Path path = folder.resolve("out.nc");
    writer(cells(0)).mode(SaveMode.ErrorIfExists).save(path.toString());
    List<String> rows =
        LocalSpark.rows(
            cells(0).select("time", "lat", "lon", "n", "t").orderBy("time", "lat", "lon"));
    assertThat(read(path)).isEqualTo(rows);
    try (NetcdfFile file = NetcdfFile.open(path)) {
      NetcdfVariable t = file.root().variable("t");
      assertThat(t.shape()).containsExactly(5, 3, 4);
      assertThat(t.read(float[][][].class)[4][2][3]).isEqualTo(59f);
      assertThat(t.read(float[][][].class)[0][1][3]).isNaN();
      assertThat(file.root().variable("time").all().decoded().readTimes()[4])
          .isEqualTo(LocalDateTime.of(2026, 1, 5, 0, 0));
    }
  }

  @Test
  void appendingAddsToTheFirstDimension() {
    Path path = folder.resolve("out.nc");
    writer(cells(0)).save(path.toString());
    writer(cells(5)).mode(SaveMode.Append).save(path.toString());
    List<String> rows = read(path);
    assertThat(rows).hasSize(120);
    assertThat(rows.get(119)).isEqualTo("[2026-01-10T00:00,20.0,3,118,59.0]");
    assertThat(rows.get(59)).isEqualTo("[2026-01-05T00:00,20.0,3,118,59.0]");
    assertThatThrownBy(() -> writer(cells(9)).mode(SaveMode.Append).save(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("time");
  }

  @Test
  void modesAreObeyed() {
    Path path = folder.resolve("out.nc");
    writer(cells(0)).save(path.toString());
    assertThatThrownBy(() -> writer(cells(0)).save(path.toString()))
        .isInstanceOf(AlreadyExistsException.class);
    writer(cells(3)).mode(SaveMode.Ignore).save(path.toString());
    assertThat(read(path).getFirst()).startsWith("[2026-01-01");
    writer(cells(3)).mode(SaveMode.Overwrite).save(path.toString());
    assertThat(read(path).getFirst()).startsWith("[2026-01-04");
  }

  @Test
  void indexesAreCoordinatesWithoutAVariable() {
    Path path = folder.resolve("out.nc");
    LocalSpark.session()
        .range(20)
        .selectExpr("id div 5 as y", "id % 5 as x", "cast(id as double) as v")
        .where("id <> 13")
        .write()
        .format("hyperslab")
        .option("dimensions", "y=4,x=6")
        .option("coordinates", "indexes")
        .option("compression", "zstd")
        .save(path.toString());
    try (NetcdfFile file = NetcdfFile.open(path)) {
      double[][] v = file.root().variable("v").read(double[][].class);
      assertThat(v[2][2]).isEqualTo(12);
      assertThat(v[2][3]).isNaN();
      assertThat(v[0][5]).isNaN();
    }
  }

  @Test
  void rowsWithoutDimensionsKeepTheirOrder() {
    Path path = folder.resolve("out.nc");
    Dataset<Row> rows = LocalSpark.session().range(0, 1000, 1, 3).toDF("id");
    rows.write().format("hyperslab").option("chunks", "64").save(path.toString());
    rows.write().format("hyperslab").mode(SaveMode.Append).save(path.toString());
    try (NetcdfFile file = NetcdfFile.open(path)) {
      long[] ids = file.root().variable("id").read(long[].class);
      assertThat(ids).hasSize(2000);
      assertThat(ids[999]).isEqualTo(999);
      assertThat(ids[1001]).isEqualTo(1);
    }
  }

  @Test
  void twoRowsForOneElementAreRefusedAndTheOldFileStays() {
    Path path = folder.resolve("out.nc");
    writer(cells(0)).save(path.toString());
    Dataset<Row> twice = cells(0).union(cells(0));
    assertThatThrownBy(() -> writer(twice).mode(SaveMode.Overwrite).save(path.toString()))
        .hasStackTraceContaining("two for one element");
    assertThat(read(path)).hasSize(60);
  }

  @Test
  void wrongOptionsAreRefused() {
    Path path = folder.resolve("out.nc");
    assertThatThrownBy(() -> writer(cells(0)).option("chunk", "1").save(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=chunk,");
    assertThatThrownBy(
            () -> writer(cells(0)).option("dimensions", "time=9,lat,lon").save(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("5 different values");
    assertThatThrownBy(
            () -> writer(cells(0).selectExpr("*", "string(lat) as s")).save(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("variable=s");
    assertThatThrownBy(() -> writer(cells(0)).partitionBy("lat").save(path.toString()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("partitionBy");
  }
}
