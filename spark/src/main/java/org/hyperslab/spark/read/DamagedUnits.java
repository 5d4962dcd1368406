package org.hyperslab.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** The number of parts that could not be read and were left out, which Spark shows of a query. */
public final class DamagedUnits extends CustomSumMetric {

  /** The name of the metric. */
  static final String NAME = "damagedUnits";

  /** Creates the metric; Spark does, too, by reflection. */
  public DamagedUnits() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "damaged parts left out";
  }
}
