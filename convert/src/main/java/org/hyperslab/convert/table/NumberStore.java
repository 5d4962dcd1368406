package org.hyperslab.convert.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.table.cell.CellNumber;
import org.hyperslab.convert.table.cell.RowCells;
import org.hyperslab.convert.table.cell.TablePieces;
import org.hyperslab.error.StorageException;

/**
 * The cells of a table of numbers, as decoded when its rows were counted, in a temporary file, so
 * that the table need not be divided into cells once more. Cells are kept until one is found that
 * is neither a number nor missing; most tables that have texts have them in their first rows.
 *
 * <p>The rows of a piece of the table are one block, which has one column after the other. In a
 * block, a column has doubles if one of its cells is missing or no integer, otherwise integers.
 *
 * <p>Thread rule: any thread may add blocks; after the last one, any thread may read.
 */
final class NumberStore implements AutoCloseable {

  private static final VarHandle NUMBER =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** More columns would need more memory for what is known of each block. */
  private static final int MAX_COLUMNS = 1 << 12;

  /** The maximum size of kept cells for each byte of the table; a cell has a separator, too. */
  private static final int MAX_EXPANSION = Long.BYTES;

  private final FileBytes file;
  private final int columnCount;
  private final List<Stored> blocks = new ArrayList<>();
  private long size;
  private volatile boolean isGivenUp;

  private NumberStore(FileBytes file, int columnCount) {
    this.file = file;
    this.columnCount = columnCount;
  }

  /**
   * A block in the file.
   *
   * @param piece the number of the piece of the table
   * @param firstRow the number of its first row, once all blocks are known
   * @param rows the number of rows
   * @param position where it is in the file
   * @param doubles the columns that have doubles
   */
  private record Stored(int piece, long firstRow, int rows, long position, BitSet doubles) {

    Stored from(long row) {
      return new Stored(piece, row, rows, position, doubles);
    }
  }

  /**
   * Creates a store.
   *
   * @param name the name of the table, for messages
   * @param columnCount the number of cells of a row
   * @return a store, to be closed
   */
  static NumberStore of(String name, int columnCount) {
    NumberStore store = new NumberStore(FileBytes.temporary(name), columnCount);
    if (columnCount > MAX_COLUMNS) {
      store.giveUp();
    }
    return store;
  }

  /** Returns whether all cells so far are kept. */
  boolean isKept() {
    return !isGivenUp;
  }

  private void giveUp() {
    isGivenUp = true;
  }

  /** Begins a block for the rows of a piece. */
  Block block(TablePieces.Piece piece) {
    return new Block(piece);
  }

  /** Ends the adding of blocks. */
  void finish() {
    blocks.sort(Comparator.comparingInt(Stored::piece));
    long row = 0;
    for (int i = 0; i < blocks.size(); i++) {
      blocks.set(i, blocks.get(i).from(row));
      row += blocks.get(i).rows;
    }
  }

  private void add(TablePieces.Piece piece, byte[] numbers, int rows, BitSet doubles) {
    long position;
    synchronized (this) {
      position = size;
      size += numbers.length;
      blocks.add(new Stored(piece.number(), 0, rows, position, doubles));
    }
    try {
      file.write(position, MemorySegment.ofArray(numbers));
    } catch (StorageException _) {
      giveUp(); // without room for a temporary file, the table is read twice
    }
  }

  /** The numbers of the rows of a piece. Confined to one thread. */
  final class Block {

    private final TablePieces.Piece piece;
    private final byte[][] columns = new byte[columnCount][];
    private final boolean[] isDouble = new boolean[columnCount];
    private int capacity;
    private int rows;

    private Block(TablePieces.Piece piece) {
      this.piece = piece;
      boolean isLarge = piece.length() > TableRows.MAX_PIECE_BYTES; // one row, or a few
      grow(isLarge ? 1 : piece.length() / (Long.BYTES * columnCount) + 1);
    }

    private void grow(int rowCount) {
      long most = (long) MAX_EXPANSION * piece.length() / ((long) Long.BYTES * columnCount) + 1;
      capacity = (int) Math.min(rowCount, most);
      if (rows == capacity) {
        giveUp();
        return;
      }
      for (int i = 0; i < columnCount; i++) {
        columns[i] =
            rows == 0
                ? new byte[capacity * Long.BYTES]
                : Arrays.copyOf(columns[i], capacity * Long.BYTES);
      }
    }

    /** Adds a row. */
    void add(RowCells row, MissingMarks marks) {
      if (rows == capacity) {
        grow(2 * capacity);
      }
      for (int i = 0; i < columnCount && isKept(); i++) {
        add(row, i, marks);
      }
      rows++;
    }

    private void add(RowCells row, int cell, MissingMarks marks) {
      boolean isMissing = cell >= row.count() || marks.has(row, cell);
      int kind = isMissing ? CellNumber.REAL : row.numberKind(cell) & ~CellNumber.INEXACT;
      if (kind == CellNumber.INTEGER) {
        long value = row.integer(cell);
        put(cell, isDouble[cell] ? Double.doubleToRawLongBits(value) : value);
      } else if (kind == CellNumber.REAL) {
        if (!isDouble[cell]) {
          toDoubles(columns[cell], 0, rows);
          isDouble[cell] = true;
        }
        put(cell, Double.doubleToRawLongBits(isMissing ? Double.NaN : row.real(cell)));
      } else {
        giveUp();
      }
    }

    private void put(int column, long bits) {
      NUMBER.set(columns[column], rows * Long.BYTES, bits);
    }

    /** Adds the block to the store. */
    void end() {
      if (rows == 0 || !isKept()) {
        return;
      }
      int columnBytes = rows * Long.BYTES;
      byte[] numbers = new byte[columnCount * columnBytes];
      BitSet doubles = new BitSet(columnCount);
      for (int i = 0; i < columnCount; i++) {
        System.arraycopy(columns[i], 0, numbers, i * columnBytes, columnBytes);
        doubles.set(i, isDouble[i]);
      }
      NumberStore.this.add(piece, numbers, rows, doubles);
    }
  }

  /** Replaces integers in an array by the same numbers as doubles. */
  private static void toDoubles(byte[] numbers, int from, int count) {
    for (int i = 0; i < count; i++) {
      int at = from + i * Long.BYTES;
      NUMBER.set(numbers, at, Double.doubleToRawLongBits((long) NUMBER.get(numbers, at)));
    }
  }

  /**
   * Reads numbers of a column, one after the other.
   *
   * @param column the column
   * @param first the first row
   * @param asDoubles whether the column has doubles
   * @param target receives the numbers
   */
  void read(int column, long first, boolean asDoubles, MemorySegment target) {
    long row = first;
    for (long at = 0; at < target.byteSize(); ) {
      Stored block = blockOf(row);
      long skipped = row - block.firstRow;
      int count = (int) Math.min((target.byteSize() - at) / Long.BYTES, block.rows - skipped);
      long position = block.position + ((long) column * block.rows + skipped) * Long.BYTES;
      MemorySegment part = target.asSlice(at, (long) count * Long.BYTES);
      if (asDoubles && !block.doubles.get(column)) {
        byte[] numbers = file.read(position, count * Long.BYTES);
        toDoubles(numbers, 0, count);
        part.copyFrom(MemorySegment.ofArray(numbers));
      } else {
        file.read(position, part);
      }
      at += part.byteSize();
      row += count;
    }
  }

  /**
   * Reads all numbers of rows, row by row.
   *
   * @param first the first row
   * @param asDoubles the columns that have doubles
   * @param target receives the numbers
   */
  void readRows(long first, boolean[] asDoubles, MemorySegment target) {
    int rowBytes = columnCount * Long.BYTES;
    long row = first;
    for (long at = 0; at < target.byteSize(); ) {
      Stored block = blockOf(row);
      int skipped = (int) (row - block.firstRow);
      int count = (int) Math.min((target.byteSize() - at) / rowBytes, block.rows - skipped);
      byte[] numbers = file.read(block.position, block.rows * rowBytes);
      byte[] rows = new byte[count * rowBytes];
      for (int i = 0; i < columnCount; i++) {
        int from = (i * block.rows + skipped) * Long.BYTES;
        if (asDoubles[i] && !block.doubles.get(i)) {
          toDoubles(numbers, from, count);
        }
        spread(numbers, from, rows, i * Long.BYTES, rowBytes);
      }
      MemorySegment.copy(rows, 0, target, ValueLayout.JAVA_BYTE, at, rows.length);
      at += rows.length;
      row += count;
    }
  }

  private static void spread(byte[] column, int from, byte[] rows, int first, int stride) {
    int at = from;
    for (int to = first; to < rows.length; to += stride) {
      NUMBER.set(rows, to, (long) NUMBER.get(column, at));
      at += Long.BYTES;
    }
  }

  private Stored blockOf(long row) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).firstRow <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks.get(low);
  }

  @Override
  public void close() {
    file.close();
  }
}
