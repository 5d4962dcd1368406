package org.hyperslab.convert.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.hyperslab.convert.table.cell.CellNumber;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;

/**
 * A column of a table, which stores its cells as elements.
 *
 * <p>Thread rule: immutable.
 *
 * @param name its name
 * @param kind the kind of its values
 * @param type their type
 * @param marks the cells that are missing values
 */
record Column(String name, ColumnFacts.Kind kind, Datatype type, MissingMarks marks) {

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Returns whether a cell is a number. */
  static boolean isNumber(String cell) {
    byte[] bytes = cell.getBytes(StandardCharsets.UTF_8);
    return CellNumber.kind(bytes, 0, bytes.length) != CellNumber.NONE;
  }

  /** Creates a column whose type holds all its cells. */
  static Column of(String name, ColumnFacts facts, MissingMarks marks) {
    return new Column(name, facts.kind(), facts.type(), marks);
  }

  /**
   * Stores a cell.
   *
   * @param row the row that has the cell
   * @param cell its number; a missing value if the row has fewer cells
   * @param target the memory, which is zero, in the memory form of the type
   * @param at where the element is
   */
  void put(RowCells row, int cell, DataBuffer target, long at) {
    MemorySegment elements = target.elements();
    boolean has = cell < row.count();
    switch (kind) {
      case TRUTH ->
          elements.set(
              ValueLayout.JAVA_BYTE,
              at,
              (byte) (ColumnFacts.isTrue(row.bytes(), row.start(cell)) ? 1 : 0));
      case INTEGER, UNSIGNED -> elements.set(LONG, at, row.integer(cell));
      case REAL ->
          elements.set(DOUBLE, at, !has || marks.has(row, cell) ? Double.NaN : row.real(cell));
      case TEXT -> {
        if (has) {
          putText(row.bytes(), row.start(cell), row.end(cell) - row.start(cell), target, at);
        }
      }
    }
  }

  private void putText(byte[] bytes, int start, int length, DataBuffer target, long at) {
    if (type instanceof VlenStringType) {
      MemorySegment text = MemorySegment.ofArray(bytes).asSlice(start, length);
      target.heap().writeSequence(target.elements(), at, text, 1);
    } else {
      MemorySegment.copy(bytes, start, target.elements(), ValueLayout.JAVA_BYTE, at, length);
    }
  }
}
