package org.hyperslab.spark.read;

import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.OpenSource;
import org.hyperslab.spark.table.Reading;
import org.hyperslab.spark.table.TableColumn;

/**
 * The column of a dimension in the rows of a unit. What was read for one unit is kept for the next
 * ones with the same indices.
 *
 * <p>Thread rule: one thread.
 */
final class UnitAxis {

  private final int axis;
  private final boolean isIndex;
  private final DataType type;
  private final boolean decode;
  private IndexSet loaded;
  private int loadedFile = -1;
  private WritableColumnVector values;
  private int length;
  private long inner;

  UnitAxis(TableColumn column, DataType type, boolean decode) {
    this.isIndex = column instanceof TableColumn.Index;
    this.axis =
        column instanceof TableColumn.Index index
            ? index.axis()
            : ((TableColumn.Coordinate) column).axis();
    this.type = type;
    this.decode = decode;
  }

  /** Prepares the rows of a unit. */
  void load(UnitSequence units) {
    IndexSet[] indices = units.indices();
    IndexSet mine = indices[axis];
    inner = 1;
    for (int d = axis + 1; d < indices.length; d++) {
      inner *= indices[d].count();
    }
    if (loadedFile == units.file() && mine.equals(loaded)) {
      return;
    }
    length = Math.toIntExact(mine.count());
    values = new OnHeapColumnVector(Math.max(1, length), type);
    if (isIndex) {
      values.putLongs(0, length, mine.toArray(), 0);
    } else {
      read(units.opened(), units.part().units().file().axes().get(axis).coordinate(), mine);
    }
    loaded = mine;
    loadedFile = units.file();
  }

  private void read(OpenSource opened, String path, IndexSet indices) {
    try (Dataset dataset = opened.file().dataset(path)) {
      Reading reading = Reading.whole(dataset, decode, opened.name());
      Selection selection =
          indices.isOneRange()
              ? Selection.box(new long[] {indices.first()}, new long[] {indices.count()})
              : Selection.along(0, indices.toArray(), dataset.shape());
      reading.read(selection, length);
      reading.fill(0, length, values, 0);
    }
  }

  /** Returns the values of the unit, each once. */
  WritableColumnVector values() {
    return values;
  }

  int length() {
    return length;
  }

  /** Fills rows of a vector with those of the unit. */
  void fill(long first, int count, WritableColumnVector to) {
    int row = 0;
    while (row < count) {
      long at = first + row;
      int index = (int) (at / inner % length);
      if (inner == 1) {
        int run = Math.min(length - index, count - row);
        Runs.copy(values, index, to, row, run);
        row += run;
      } else {
        int run = (int) Math.min(inner - at % inner, count - row);
        Runs.repeat(values, index, to, row, run);
        row += run;
      }
    }
  }
}
