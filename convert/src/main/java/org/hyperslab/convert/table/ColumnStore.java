package org.hyperslab.convert.table;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenStringType;

/**
 * The elements of a table's columns in a temporary file without a name, one column after the other.
 * Thus a table whose columns become datasets is not divided into cells once for each of them.
 * Columns of variable-length text are not in it.
 *
 * <p>Thread rule: any thread may read.
 */
final class ColumnStore implements AutoCloseable {

  private static final long BLOCK_BYTES = 1 << 20;

  private final FileBytes file;
  private final long[] starts;
  private final int[] sizes;

  private ColumnStore(FileBytes file, long[] starts, int[] sizes) {
    this.file = file;
    this.starts = starts;
    this.sizes = sizes;
  }

  /** Stores the cells of a range of rows; called by several threads at a time. */
  @FunctionalInterface
  interface Rows {

    /**
     * Stores cells as elements.
     *
     * @param first the first row
     * @param count the number of rows
     * @param columns the columns that are wanted
     * @param targets the memory for each of them, which is zero
     */
    void read(long first, long count, int[] columns, DataBuffer[] targets);
  }

  /** Returns whether a column can be stored. */
  static boolean holds(Column column) {
    return !(column.type() instanceof VlenStringType);
  }

  /**
   * Reads all columns that can be stored.
   *
   * @param name the name of the table, for messages
   * @param columns all its columns
   * @param rowCount the number of rows
   * @param rows reads rows
   * @param work has the threads and the memory
   * @return the store, to be closed
   */
  static ColumnStore of(
      String name, List<Column> columns, long rowCount, Rows rows, ConversionRun work) {
    int[] stored = new int[columns.size()];
    int count = 0;
    long[] starts = new long[columns.size()];
    int[] sizes = new int[columns.size()];
    long at = 0;
    long rowBytes = 0;
    for (int i = 0; i < columns.size(); i++) {
      if (holds(columns.get(i))) {
        stored[count++] = i;
        starts[i] = at;
        sizes[i] = columns.get(i).type().inMemory().size();
        at = Math.addExact(at, Math.multiplyExact(rowCount, (long) sizes[i]));
        rowBytes += sizes[i];
      }
    }
    ColumnStore store = new ColumnStore(FileBytes.temporary(name), starts, sizes);
    try {
      long most = Math.min(BLOCK_BYTES, work.memoryBytes() / 2);
      store.fill(
          Arrays.copyOf(stored, count),
          new Cut(rowCount, Math.max(1, most / rowBytes)),
          rows,
          work);
      return store;
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  /** Rows and how many are stored at a time. */
  private record Cut(long rows, long block) {}

  private void fill(int[] columns, Cut cut, Rows rows, ConversionRun work) {
    List<Long> firsts = new ArrayList<>();
    for (long first = 0; first < cut.rows; first += cut.block) {
      firsts.add(first);
    }
    long rowBytes = Arrays.stream(columns).mapToLong(i -> sizes[i]).sum();
    work.parallel(
        firsts,
        work.lanes(cut.block * rowBytes),
        first -> fill(columns, first, Math.min(cut.block, cut.rows - first), rows, work));
  }

  private void fill(int[] columns, long first, long count, Rows rows, ConversionRun work) {
    long bytes = count * Arrays.stream(columns).mapToLong(i -> sizes[i]).sum();
    try (Lease lease = work.take(bytes)) {
      MemorySegment all = lease.segment().asSlice(0, bytes).fill((byte) 0);
      DataBuffer[] targets = new DataBuffer[columns.length];
      long at = 0;
      for (int i = 0; i < columns.length; i++) {
        long length = count * sizes[columns[i]];
        targets[i] = DataBuffer.of(all.asSlice(at, length));
        at += length;
      }
      rows.read(first, count, columns, targets);
      for (int i = 0; i < columns.length; i++) {
        file.write(starts[columns[i]] + first * sizes[columns[i]], targets[i].elements());
      }
    }
  }

  /**
   * Reads elements of a column.
   *
   * @param column the column
   * @param first the first row
   * @param target receives the elements
   */
  void read(int column, long first, MemorySegment target) {
    file.read(starts[column] + first * sizes[column], target);
  }

  @Override
  public void close() {
    file.close();
  }
}
