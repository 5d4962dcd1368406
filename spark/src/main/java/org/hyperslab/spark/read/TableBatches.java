package org.hyperslab.spark.read;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * What readers of batches have in common: the units of a task, the vectors that are filled, and
 * their end.
 *
 * <p>Thread rule: one thread.
 */
abstract class TableBatches implements PartitionReader<ColumnarBatch> {

  final UnitSequence units;
  final ScanTask task;
  final BatchVectors vectors;

  /** The batch that was read last. */
  ColumnarBatch batch;

  TableBatches(UnitSequence units, ScanTask task) {
    this.units = units;
    this.task = task;
    this.vectors = new BatchVectors(task);
  }

  /** Closes the datasets of the file that is open. */
  abstract void closeDatasets();

  @Override
  public final ColumnarBatch get() {
    return batch;
  }

  @Override
  public final CustomTaskMetric[] currentMetricsValues() {
    return BatchVectors.metrics(units);
  }

  @Override
  public final void close() {
    try {
      if (units.opened() != null) {
        closeDatasets();
      }
    } finally {
      units.close();
      vectors.close();
    }
  }
}
