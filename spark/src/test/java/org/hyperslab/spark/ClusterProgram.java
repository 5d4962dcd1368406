package org.hyperslab.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A program for spark-submit: reads a file, writes another one, and prints what it read. */
public final class ClusterProgram {

  private ClusterProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments the file to read and the one to write
   */
  public static void main(String[] arguments) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    Dataset<Row> table =
        spark.read().format("hyperslab").option("variables", "/t").load(arguments[0]);
    table
        .groupBy("lat")
        .avg("t")
        .orderBy("lat")
        .collectAsList()
        .forEach(row -> System.out.println("read " + row));
    table
        .write()
        .format("hyperslab")
        .option("dimensions", "time,lat,lon")
        .option("compression", "zstd")
        .save(arguments[1]);
    long executors =
        spark.sparkContext().statusTracker().getExecutorInfos().length - 1; // without the driver
    System.out.println("executors " + executors);
    spark.stop();
  }
}
