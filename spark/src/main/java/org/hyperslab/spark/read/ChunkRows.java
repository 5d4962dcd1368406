package org.hyperslab.spark.read;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.unsafe.types.UTF8String;
import org.hyperslab.Dataset;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.Reading;
import org.hyperslab.spark.table.TableColumn;

/**
 * Chunks as rows: the origin, the lengths, the coordinates of each dimension, and the elements of
 * each variable as doubles in row-major order, with NaN for missing ones.
 *
 * <p>Thread rule: one thread.
 */
final class ChunkRows implements PartitionReader<InternalRow> {

  private final UnitSequence units;
  private final ScanTask task;
  private final Map<Integer, UnitAxis> axes = new HashMap<>();
  private WritableColumnVector vector;
  private InternalRow row;

  ChunkRows(UnitSequence units, ScanTask task) {
    this.units = units;
    this.task = task;
    for (int i = 0; i < task.columns().size(); i++) {
      if (task.columns().get(i) instanceof TableColumn.Coordinate column) {
        DataType items = ((ArrayType) task.schema().fields()[i].dataType()).elementType();
        axes.put(i, new UnitAxis(column, items, task.decode()));
      }
    }
  }

  @Override
  public boolean next() {
    while (units.next()) {
      try {
        Object[] values = new Object[task.columns().size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(i);
        }
        row = new GenericInternalRow(values);
        return true;
      } catch (HyperslabException failure) {
        units.failed(failure, "", units.origin());
      }
    }
    return false;
  }

  private Object value(int column) {
    return switch (task.columns().get(column)) {
      case TableColumn.Origin _ -> UnsafeArrayData.fromPrimitiveArray(units.origin());
      case TableColumn.ChunkShape _ -> UnsafeArrayData.fromPrimitiveArray(shape());
      case TableColumn.FileName _ -> UTF8String.fromString(units.opened().name());
      case TableColumn.Value value ->
          UnsafeArrayData.fromPrimitiveArray(
              doubles(task.variables().get(value.variable()).path()));
      default -> {
        UnitAxis axis = axes.get(column);
        axis.load(units);
        yield new ColumnarArray(axis.values(), 0, axis.length()).copy();
      }
    };
  }

  private long[] shape() {
    IndexSet[] indices = units.indices();
    long[] shape = new long[indices.length];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = indices[d].count();
    }
    return shape;
  }

  private double[] doubles(String path) {
    int count = 1;
    for (long length : shape()) {
      count = Math.toIntExact(count * length);
    }
    Selection selection = units.part().units().selection(units.indices());
    try (Dataset dataset = units.opened().file().dataset(path)) {
      Reading reading = Reading.whole(dataset, task.decode(), units.opened().name());
      DataType type = reading.filler().sparkType();
      if (vector == null || !vector.dataType().equals(type)) {
        vector = new OnHeapColumnVector(count, type);
      }
      vector.reset();
      vector.reserve(count);
      reading.read(selection, count);
      reading.fill(0, count, vector, 0);
      return doubles(vector, count);
    }
  }

  private static double[] doubles(WritableColumnVector from, int count) {
    DataType type = from.dataType();
    double[] values = new double[count];
    if (type == DataTypes.DoubleType) {
      values = from.getDoubles(0, count);
    } else if (type == DataTypes.FloatType) {
      for (int i = 0; i < count; i++) {
        values[i] = from.getFloat(i);
      }
    } else if (type == DataTypes.LongType) {
      for (int i = 0; i < count; i++) {
        values[i] = from.getLong(i);
      }
    } else if (type == DataTypes.IntegerType) {
      for (int i = 0; i < count; i++) {
        values[i] = from.getInt(i);
      }
    } else if (type == DataTypes.ShortType) {
      for (int i = 0; i < count; i++) {
        values[i] = from.getShort(i);
      }
    } else if (type == DataTypes.ByteType) {
      for (int i = 0; i < count; i++) {
        values[i] = from.getByte(i);
      }
    } else {
      for (int i = 0; i < count; i++) {
        values[i] = from.isNullAt(i) ? 0 : from.getDecimal(i, 20, 0).toDouble();
      }
    }
    for (int i = 0; from.hasNull() && i < count; i++) {
      values[i] = from.isNullAt(i) ? Double.NaN : values[i];
    }
    return values;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return BatchVectors.metrics(units);
  }

  @Override
  public void close() {
    units.close();
  }
}
