import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;

/**
 * Compares the source hyperslab with Parquet (zstd) of the same rows, both read by Spark in this
 * JVM with two cores: the mean by month over a compressed field of three dimensions, as a long
 * table and by chunks; a band of latitudes, with the bytes that are read; count and bounds of a
 * coordinate.
 *
 * <p>Arguments: a folder for the files, which is kept, and the size of the field in MiB.
 */
public final class SparkFigures {

  private static final int LATITUDES = 256;
  private static final int LONGITUDES = 512;
  private static final int RUNS = 5;

  private SparkFigures() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    int times = Math.max(16, Integer.parseInt(arguments[1]) * (1 << 20) / (LATITUDES * LONGITUDES * 4));
    Path file = folder.resolve("field-" + times + ".nc");
    Path parquet = folder.resolve("field-" + times + ".parquet");
    if (!Files.exists(file)) {
      write(file, times);
    }
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.parquet.compression.codec", "zstd")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    Dataset<Row> array =
        spark.read().format("hyperslab").option("variables", "/t").load(file.toString());
    if (!Files.exists(parquet)) {
      array.write().parquet(parquet.toString());
    }
    Dataset<Row> rows = spark.read().parquet(parquet.toString());
    System.out.printf(
        "field of %d x %d x %d floats (%d MiB): %d MiB as netCDF-4 (deflate 1, shuffle), %d MiB as Parquet (zstd)%n",
        times, LATITUDES, LONGITUDES, (long) times * LATITUDES * LONGITUDES * 4 >> 20, size(file) >> 20, size(parquet) >> 20);

    double byParquet = median("mean by month, Parquet", () -> months(rows));
    double byArray = median("mean by month, hyperslab", () -> months(array));
    Dataset<Row> chunks =
        spark.read().format("hyperslab").option("variables", "/t").option("layout", "chunks").load(file.toString());
    double byChunks = median("mean by month, hyperslab, layout=chunks", () -> monthsOfChunks(chunks));
    System.out.printf("long table: %.2f of Parquet's speed; chunks: %.2f%n", byParquet / byArray, byParquet / byChunks);

    String band = "lat between 10 and 15";
    double bandParquet = median("band of latitudes, Parquet", () -> rows.where(band).selectExpr("avg(t)").first());
    long before = read();
    double bandArray = median("band of latitudes, hyperslab", () -> array.where(band).selectExpr("avg(t)").first());
    System.out.printf("band: %.2f of Parquet's speed; %d bytes read a run%n", bandParquet / bandArray, (read() - before) / (RUNS + 2));
    median("count, min and max of a coordinate, hyperslab", () -> array.selectExpr("count(*)", "min(time)", "max(lat)").first());
    spark.stop();
  }

  private static void write(Path path, int times) {
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("time", times);
      root.createDimension("lat", LATITUDES);
      root.createDimension("lon", LONGITUDES);
      NetcdfVariable time = root.createVariable("time", NetcdfTypes.INT, "time");
      time.setAttribute("units", "hours since 2020-01-01");
      int[] hours = new int[times];
      Arrays.setAll(hours, i -> 6 * i);
      time.write(hours);
      float[] lat = new float[LATITUDES];
      float[] lon = new float[LONGITUDES];
      for (int i = 0; i < LATITUDES; i++) {
        lat[i] = 90 - 180f * i / (LATITUDES - 1);
      }
      for (int i = 0; i < LONGITUDES; i++) {
        lon[i] = 360f * i / LONGITUDES;
      }
      root.createVariable("lat", NetcdfTypes.FLOAT, "lat").write(lat);
      root.createVariable("lon", NetcdfTypes.FLOAT, "lon").write(lon);
      VariableOptions options =
          VariableOptions.DEFAULT.withChunks(16, 64, 128).withShuffle().withDeflate(1);
      NetcdfVariable t = root.createVariable("t", NetcdfTypes.FLOAT, options, "time", "lat", "lon");
      Random random = new Random(1);
      for (int first = 0; first < times; first += 16) {
        int count = Math.min(16, times - first);
        float[] values = new float[count * LATITUDES * LONGITUDES];
        for (int i = 0; i < values.length; i++) {
          int row = i / LONGITUDES % LATITUDES;
          values[i] = Math.round(8 * (280 + 20 * Math.sin(row / 40.0) + random.nextGaussian())) / 8f;
        }
        t.section(new long[] {first, 0, 0}, new long[] {count, LATITUDES, LONGITUDES}).write(values);
      }
    }
  }

  private static Object months(Dataset<Row> table) {
    return table.groupBy(org.apache.spark.sql.functions.expr("month(time)")).avg("t").collectAsList();
  }

  /** Sums by month in arrays: the numeric code for which chunks as rows are made. */
  private static Object monthsOfChunks(Dataset<Row> chunks) {
    MapPartitionsFunction<ChunkOfTimes, double[]> sums =
        all -> {
          double[] found = new double[26];
          while (all.hasNext()) {
            ChunkOfTimes chunk = all.next();
            int each = chunk.getT().length / chunk.getMonths().length;
            for (int i = 0; i < chunk.getMonths().length; i++) {
              double sum = 0;
              for (int j = i * each; j < (i + 1) * each; j++) {
                sum += chunk.getT()[j];
              }
              found[chunk.getMonths()[i]] += sum;
              found[13 + chunk.getMonths()[i]] += each;
            }
          }
          Iterator<double[]> one = List.of(found).iterator();
          return one;
        };
    return chunks
        .selectExpr("transform(time, x -> month(x)) as months", "t")
        .as(Encoders.bean(ChunkOfTimes.class))
        .mapPartitions(sums, Encoders.kryo(double[].class))
        .collectAsList();
  }

  /** A chunk, as Spark passes it to numeric code. */
  public static final class ChunkOfTimes implements java.io.Serializable {
    private int[] months;
    private double[] t;

    public int[] getMonths() {
      return months;
    }

    public void setMonths(int[] newMonths) {
      months = newMonths;
    }

    public double[] getT() {
      return t;
    }

    public void setT(double[] newT) {
      t = newT;
    }
  }

  private static double median(String what, Runnable query) {
    query.run();
    query.run();
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      long start = System.nanoTime();
      query.run();
      seconds.add((System.nanoTime() - start) / 1e9);
    }
    seconds.sort(null);
    System.out.printf("%-50s %8.3f s (%.3f to %.3f)%n", what, seconds.get(RUNS / 2), seconds.getFirst(), seconds.getLast());
    return seconds.get(RUNS / 2);
  }

  /** Returns the bytes that this process has read by calls of the system. */
  private static long read() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("rchar: ")) {
        return Long.parseLong(line.substring(7));
      }
    }
    return 0;
  }

  private static long size(Path path) throws IOException {
    try (var all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    }
  }
}
