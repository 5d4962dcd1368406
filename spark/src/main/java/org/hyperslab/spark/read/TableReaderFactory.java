package org.hyperslab.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes the readers of tasks. */
final class TableReaderFactory implements PartitionReaderFactory {

  private static final long serialVersionUID = 1L;

  private final ScanTask task;
  private final boolean ofChunks;

  TableReaderFactory(ScanTask task, boolean ofChunks) {
    this.task = task;
    this.ofChunks = ofChunks;
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return !ofChunks;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new ChunkRows(new UnitSequence(task, (UnitPartition) partition), task);
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    UnitSequence units = new UnitSequence(task, (UnitPartition) partition);
    boolean isSparse =
        !task.parts().isEmpty() && task.parts().getFirst().units().file().sparse() != null;
    return isSparse ? new SparseBatches(units, task) : new ElementBatches(units, task);
  }
}
