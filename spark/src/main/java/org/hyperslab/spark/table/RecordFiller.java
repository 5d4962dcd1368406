package org.hyperslab.spark.table;

import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.format.type.Datatype;

/** Columns of compounds and complex numbers: structs. */
final class RecordFiller extends Filler {

  private final List<Filler> fields;
  private final Datatype memory;
  private final List<Integer> offsets;
  private final StructType type;

  RecordFiller(List<String> names, List<Filler> fields, Datatype memory, List<Integer> offsets) {
    this.fields = fields;
    this.memory = memory;
    this.offsets = offsets;
    StructType struct = new StructType();
    for (int i = 0; i < names.size(); i++) {
      struct = struct.add(names.get(i), fields.get(i).sparkType(), fields.get(i).nullable());
    }
    this.type = struct;
  }

  @Override
  public DataType sparkType() {
    return type;
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public Datatype memoryType() {
    return memory;
  }

  /** Returns the filler of a field. */
  Filler field(int index) {
    return fields.get(index);
  }

  /** Returns the offset of a field in an element in bytes. */
  int offset(int index) {
    return offsets.get(index);
  }

  @Override
  public void fill(
      ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).fill(from, at + offsets.get(i), stride, count, to.getChild(i), row);
    }
  }
}
