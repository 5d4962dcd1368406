package org.hyperslab.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The Spark of this JVM, with two tasks at a time. */
final class LocalSpark {

  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2]")
          .appName("hyperslab tests")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "localhost")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.session.timeZone", "UTC")
          .config(
              "spark.sql.warehouse.dir",
              System.getProperty("java.io.tmpdir") + "/hyperslab-warehouse")
          .getOrCreate();

  static {
    SESSION.sparkContext().setLogLevel("OFF");
  }

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }

  /** Returns the rows as texts, such as {@code [1,2.5]}. */
  static List<String> rows(Dataset<Row> table) {
    return table.collectAsList().stream().map(Row::toString).toList();
  }

  /** Returns the plan of a query, as {@code EXPLAIN} prints it. */
  static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }
}
