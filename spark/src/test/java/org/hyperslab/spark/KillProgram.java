package org.hyperslab.spark;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Overwrites one file again and again, until it is killed. All elements of the write of number n
 * are n.
 */
public final class KillProgram {

  /** The lengths of the array. */
  static final int ROWS = 40;

  static final int COLUMNS = 50;

  private KillProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments the file, and the number of the first write
   */
  public static void main(String[] arguments) {
    SparkSession spark = LocalSpark.session();
    for (int number = Integer.parseInt(arguments[1]); ; number++) {
      boolean byIndex = ThreadLocalRandom.current().nextInt(3) == 0;
      System.out.println("begins " + number);
      spark
          .range(ROWS * COLUMNS)
          .selectExpr("id div " + COLUMNS + " as y", "id % " + COLUMNS + " as x", number + " as v")
          .repartition(4)
          .write()
          .format("hyperslab")
          .option("dimensions", "y=" + ROWS + ",x=" + COLUMNS)
          .option("chunks", "7,9")
          .option("coordinates", byIndex ? "indexes" : "values")
          .mode(SaveMode.Overwrite)
          .save(arguments[0]);
      System.out.println("ended " + number);
    }
  }
}
