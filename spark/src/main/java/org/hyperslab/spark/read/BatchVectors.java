package org.hyperslab.spark.read;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.hyperslab.spark.table.TableColumn;

/**
 * The vectors of a reader, which it fills again and again.
 *
 * <p>Thread rule: one thread.
 */
final class BatchVectors implements AutoCloseable {

  /** The most rows of a batch. */
  static final int ROWS = 1 << 14;

  private final ColumnVector[] all;
  private final ColumnarBatch batch;

  BatchVectors(ScanTask task) {
    StructType schema = task.schema();
    all = new ColumnVector[schema.size()];
    for (int i = 0; i < all.length; i++) {
      StructField field = schema.fields()[i];
      if (task.columns().get(i) instanceof TableColumn.FileName) {
        all[i] = new ConstantColumnVector(ROWS, field.dataType());
      } else if (task.offHeap()) {
        all[i] = new OffHeapColumnVector(ROWS, field.dataType());
      } else {
        all[i] = new OnHeapColumnVector(ROWS, field.dataType());
      }
    }
    batch = new ColumnarBatch(all);
  }

  /** Prepares for a batch of rows of a file. */
  void reset(String file) {
    for (ColumnVector each : all) {
      switch (each) {
        case WritableColumnVector vector -> vector.reset();
        case ConstantColumnVector constant -> {
          constant.setNotNull();
          constant.setUtf8String(UTF8String.fromString(file));
        }
        default -> throw new IllegalStateException(each.getClass().getName());
      }
    }
  }

  /** Returns the vector of a column that is written. */
  WritableColumnVector vector(int column) {
    return (WritableColumnVector) all[column];
  }

  ColumnarBatch batch(int rows) {
    batch.setNumRows(rows);
    return batch;
  }

  static CustomTaskMetric[] metrics(UnitSequence units) {
    return new CustomTaskMetric[] {
      new CustomTaskMetric() {
        @Override
        public String name() {
          return DamagedUnits.NAME;
        }

        @Override
        public long value() {
          return units.damaged();
        }
      }
    };
  }

  @Override
  public void close() {
    batch.close();
  }
}
