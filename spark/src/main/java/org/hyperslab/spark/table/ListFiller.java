package org.hyperslab.spark.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;

/** Columns of lists: arrays, whose dimensions are laid out one after another, and sequences. */
abstract class ListFiller extends Filler {

  private final Filler base;
  private final Datatype memory;

  private ListFiller(Filler base, Datatype memory) {
    this.base = base;
    this.memory = memory;
  }

  @Override
  public DataType sparkType() {
    return DataTypes.createArrayType(base.sparkType(), base.nullable());
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public Datatype memoryType() {
    return memory;
  }

  final void put(ReadElements from, int at, int count, WritableColumnVector to, int row) {
    WritableColumnVector items = to.arrayData();
    int first = items.getElementsAppended();
    reserve(items, first + count);
    base.fill(from, at, base.memoryType().memorySize(), count, items, first);
    items.addElementsAppended(count);
    to.putArray(row, first, count);
  }

  /** Arrays of a fixed shape, in row-major order. */
  static final class Fixed extends ListFiller {

    private final int length;

    Fixed(ArrayType type, Filler base) {
      super(base, new ArrayType(type.dimensions(), base.memoryType()));
      this.length = type.elementCount();
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        put(from, at + i * stride, length, to, row + i);
      }
    }
  }

  /** Sequences of variable length. */
  static final class Variable extends ListFiller {

    private final int itemBytes;

    Variable(Filler base) {
      super(base, Datatypes.vlen(base.memoryType()));
      this.itemBytes = base.memoryType().memorySize();
    }

    @Override
    public void fill(
        ReadElements from, int at, int stride, int count, WritableColumnVector to, int row) {
      for (int i = 0; i < count; i++) {
        MemorySegment items =
            from.heap().readSequence(from.segment(), (long) at + (long) i * stride, itemBytes);
        byte[] bytes = items == null ? new byte[0] : items.toArray(ValueLayout.JAVA_BYTE);
        put(ReadElements.of(bytes, from.heap()), 0, bytes.length / itemBytes, to, row + i);
      }
    }
  }
}
