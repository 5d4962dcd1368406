package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading of arrays as long tables. */
final class ReadTest {

  private static final int TIMES = 4;
  private static final int LATITUDES = 3;
  private static final int LONGITUDES = 5;

  @TempDir Path folder;

  static DataFrameReader reader() {
    return LocalSpark.session().read().format("hyperslab");
  }

  /** Writes a packed variable over time, latitude and longitude; its value tells its place. */
  static void writeWeather(Path path, LocalDateTime first) {
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("time", TIMES);
      root.createDimension("lat", LATITUDES);
      root.createDimension("lon", LONGITUDES);
      NetcdfVariable time = root.createVariable("time", NetcdfTypes.INT, "time");
      time.setAttribute("units", "hours since 2026-01-01");
      LocalDateTime[] times = new LocalDateTime[TIMES];
      for (int i = 0; i < TIMES; i++) {
        times[i] = first.plusHours(6L * i);
      }
      time.all().decoded().writeTimes(times);
      root.createVariable("lat", NetcdfTypes.DOUBLE, "lat").write(new double[] {-45, 0, 45});
      root.createVariable("lon", NetcdfTypes.FLOAT, "lon").write(new float[] {0, 1, 2, 3, 4});
      VariableOptions packed =
          VariableOptions.DEFAULT.withChunks(2, 2, 3).withDeflate(1).withFill((short) -999);
      NetcdfVariable t = root.createVariable("t", NetcdfTypes.SHORT, packed, "time", "lat", "lon");
      t.setAttribute("scale_factor", 0.5);
      t.setAttribute("add_offset", 100.0);
      short[] values = new short[TIMES * LATITUDES * LONGITUDES];
      for (int i = 0; i < values.length; i++) {
        values[i] = i == 7 ? -999 : (short) i;
      }
      t.write(values);
    }
  }

  @Test
  void arraysOfSharedDimensionsAreALongTable() {
    Path path = folder.resolve("weather.nc");
    writeWeather(path, LocalDateTime.of(2026, 1, 1, 0, 0));
    Dataset<Row> table = reader().option("variables", "/t").load(path.toString());
    assertThat(table.schema().simpleString())
        .isEqualTo("struct<time:timestamp_ntz,lat:double,lon:float,t:double>");
    List<String> rows = LocalSpark.rows(table.orderBy("time", "lat", "lon"));
    assertThat(rows).hasSize(60);
    assertThat(rows.get(0)).isEqualTo("[2026-01-01T00:00,-45.0,0.0,100.0]");
    assertThat(rows.get(7)).isEqualTo("[2026-01-01T00:00,0.0,2.0,null]");
    assertThat(rows.get(59)).isEqualTo("[2026-01-01T18:00,45.0,4.0,129.5]");
    Row sum = table.selectExpr("sum(t)", "count(t)", "count(*)").first();
    assertThat(sum.getDouble(0)).isEqualTo(59 * 100 + 0.5 * (60 * 59 / 2 - 7));
    assertThat(sum.getLong(1)).isEqualTo(59);
    assertThat(sum.getLong(2)).isEqualTo(60);
  }

  @Test
  void conditionsOnCoordinatesBecomeHyperslabs() {
    Path path = folder.resolve("weather.nc");
    writeWeather(path, LocalDateTime.of(2026, 1, 1, 0, 0));
    Dataset<Row> table = reader().option("variables", "/t").load(path.toString());
    Dataset<Row> some =
        table
            .where("lat between -1 and 90 and lon in (1, 4) and time >= '2026-01-01 06:00:00'")
            .where("not (time = timestamp_ntz'2026-01-01 12:00:00')");
    List<String> rows = LocalSpark.rows(some.orderBy("time", "lat", "lon"));
    assertThat(rows)
        .containsExactly(
            "[2026-01-01T06:00,0.0,1.0,110.5]",
            "[2026-01-01T06:00,0.0,4.0,112.0]",
            "[2026-01-01T06:00,45.0,1.0,113.0]",
            "[2026-01-01T06:00,45.0,4.0,114.5]",
            "[2026-01-01T18:00,0.0,1.0,125.5]",
            "[2026-01-01T18:00,0.0,4.0,127.0]",
            "[2026-01-01T18:00,45.0,1.0,128.0]",
            "[2026-01-01T18:00,45.0,4.0,129.5]");
    assertThat(LocalSpark.plan(some))
        .contains("Hyperslab: time=1:2,3:4 lat=1:3 lon=1:2,4:5")
        .doesNotContain("Filter (");
  }

  @Test
  void countsAndBoundsOfCoordinatesNeedNoElements() {
    Path path = folder.resolve("weather.nc");
    writeWeather(path, LocalDateTime.of(2026, 1, 1, 0, 0));
    Dataset<Row> table = reader().option("variables", "/t").load(path.toString());
    Dataset<Row> asked =
        table.where("lat < 40").selectExpr("count(*)", "min(time)", "max(lon)", "max(lat)");
    assertThat(LocalSpark.rows(asked)).containsExactly("[40,2026-01-01T00:00,4.0,0.0]");
    assertThat(LocalSpark.plan(asked)).contains("LocalTableScan").doesNotContain("BatchScan");
  }

  @Test
  void limitAndOffsetAreExact() {
    Path path = folder.resolve("weather.nc");
    writeWeather(path, LocalDateTime.of(2026, 1, 1, 0, 0));
    Dataset<Row> table = reader().option("variables", "/t").load(path.toString());
    assertThat(table.limit(17).collectAsList()).hasSize(17);
    assertThat(table.offset(50).limit(17).collectAsList()).hasSize(10);
    assertThat(table.offset(20).limit(7).collectAsList()).hasSize(7);
    assertThat(table.limit(20).offset(7).collectAsList()).hasSize(13);
    assertThat(table.offset(55).collectAsList()).hasSize(5);
    assertThat(table.limit(17).distinct().count()).isEqualTo(17);
    assertThat(LocalSpark.plan(table.limit(17))).contains("PushedLimit: 17");
  }

  @Test
  void filesOfAFolderAreOneTable() {
    writeWeather(folder.resolve("a.nc"), LocalDateTime.of(2026, 1, 1, 0, 0));
    writeWeather(folder.resolve("b.nc"), LocalDateTime.of(2026, 1, 2, 0, 0));
    Dataset<Row> table =
        reader().option("variables", "/t").option("fileColumn", "file").load(folder.toString());
    assertThat(table.count()).isEqualTo(120);
    assertThat(table.where("time >= '2026-01-02'").select("file").distinct().collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly(folder.resolve("b.nc").toString());
    Dataset<Row> named =
        reader().load(folder.resolve("?.nc").toString(), folder.resolve("a.nc").toString());
    assertThat(named.count()).isEqualTo(180);
  }

  @Test
  void recordsAreRowsOfTheirFields() {
    record Inner(float x, int[] list) {}
    record Particle(long id, String name, Inner inner, double mass) {}
    Path path = folder.resolve("particles.h5");
    try (H5File file = Hdf5.create(path)) {
      Particle[] particles = new Particle[1000];
      for (int i = 0; i < particles.length; i++) {
        particles[i] = new Particle(i, "p" + i, new Inner(i / 2f, new int[] {i, -i}), i * 2.0);
      }
      file.datasetBuilder("particles")
          .value(particles)
          .options(DatasetOptions.chunked(100).build())
          .create();
    }
    Dataset<Row> table = reader().option("variables", "/particles").load(path.toString());
    assertThat(table.columns()).containsExactly("id", "name", "inner", "mass");
    assertThat(LocalSpark.rows(table.where("id = 10").select("name", "mass", "inner.list")))
        .containsExactly("[p10,20.0,ArraySeq(10, -10)]");
    assertThat(table.selectExpr("sum(inner.x)").first().getDouble(0)).isEqualTo(249750);
  }

  @Test
  void chunksAreRows() {
    Path path = folder.resolve("weather.nc");
    writeWeather(path, LocalDateTime.of(2026, 1, 1, 0, 0));
    Dataset<Row> chunks =
        reader().option("variables", "/t").option("layout", "chunks").load(path.toString());
    assertThat(chunks.schema().simpleString())
        .isEqualTo(
            "struct<origin:array<bigint>,shape:array<bigint>,time:array<timestamp_ntz>,"
                + "lat:array<double>,lon:array<float>,t:array<double>>");
    assertThat(chunks.count()).isEqualTo(8);
    Row one = chunks.where("origin = array(2L, 2L, 3L)").first();
    assertThat(one.getList(1)).isEqualTo(List.of(2L, 1L, 2L));
    assertThat(one.getList(5)).isEqualTo(List.of(121.5, 122.0, 129.0, 129.5));
    Row sum =
        chunks
            .selectExpr("sum(aggregate(t, 0D, (a, x) -> a + if(isnan(x), 0D, x)))", "sum(size(t))")
            .first();
    assertThat(sum.getDouble(0)).isEqualTo(59 * 100 + 0.5 * (60 * 59 / 2 - 7));
    assertThat(sum.getLong(1)).isEqualTo(60);
  }
}
