package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.DatasetOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that queries are planned without chunk indexes and without an object for each chunk. */
final class PlanTest {

  private static final long CHUNKS = 59_000_000;

  @TempDir Path folder;

  private Dataset<Row> table() {
    Path path = folder.resolve("many.h5");
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("x")
          .type(float.class)
          .shape(CHUNKS / 100 * 16, 100 * 32)
          .options(DatasetOptions.chunked(16, 32).build())
          .create();
    }
    return ReadTest.reader().option("variables", "/x").load(path.toString());
  }

  @Test
  void millionsOfChunksArePlannedInSeconds() {
    Dataset<Row> table = table();
    long start = System.nanoTime();
    int tasks = table.queryExecution().executedPlan().execute().getNumPartitions();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
    assertThat(tasks).isBetween(500, 5000);
    assertThat(table.count()).isEqualTo(CHUNKS * 16 * 32);
  }

  @Test
  void conditionsAndLimitsLeaveTheTasksThatAreNeeded() {
    Dataset<Row> table = table();
    Dataset<Row> some = table.where("dim_0 = 5000000 and dim_1 in (7, 3100)");
    assertThat(some.queryExecution().executedPlan().execute().getNumPartitions()).isEqualTo(1);
    assertThat(LocalSpark.rows(some))
        .containsExactlyInAnyOrder("[5000000,7,0.0]", "[5000000,3100,0.0]");
    assertThat(table.where("dim_0 > 9439990").offset(100).limit(5).collectAsList()).hasSize(5);
    assertThat(table.limit(10).collectAsList()).hasSize(10);
  }
}
