package org.hyperslab.spark.read;

import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.hyperslab.Dataset;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.spark.table.Reading;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TablePart;

/**
 * The stored elements of sparse matrices as batches of rows. Of a unit, indices are read first, and
 * values only if any of them is selected.
 *
 * <p>Thread rule: one thread.
 */
final class SparseBatches extends TableBatches {

  private final boolean needsValues;
  private int openedFile = -1;
  private Dataset indices;
  private Dataset data;
  private Reading values;
  private long[] pointers;

  /** The minor indices of the unit, and the numbers in it of those that are selected. */
  private long[] minor = new long[0];

  private long[] major = new long[0];
  private int[] matches = new int[0];
  private int next;
  private int end;

  SparseBatches(UnitSequence units, ScanTask task) {
    super(units, task);
    this.needsValues = task.columns().stream().anyMatch(TableColumn.Value.class::isInstance);
  }

  @Override
  public boolean next() {
    while (next >= end) {
      if (!units.next()) {
        return false;
      }
      load();
    }
    int rows = Math.min(BatchVectors.ROWS, end - next);
    vectors.reset(units.opened().name());
    int majorAxis = sparse().major();
    for (int column = 0; column < task.columns().size(); column++) {
      switch (task.columns().get(column)) {
        case TableColumn.Index index -> {
          long[] from = index.axis() == majorAxis ? major : minor;
          WritableColumnVector to = vectors.vector(column);
          for (int i = 0; i < rows; i++) {
            to.putLong(i, from[matches[next + i]]);
          }
        }
        case TableColumn.Value _ -> fill(vectors.vector(column), rows);
        default -> {}
      }
    }
    next += rows;
    batch = vectors.batch(rows);
    return true;
  }

  private void fill(WritableColumnVector to, int rows) {
    int row = 0;
    while (row < rows) {
      int first = matches[next + row];
      int run = 1;
      while (row + run < rows && matches[next + row + run] == first + run) {
        run++;
      }
      values.fill(first, run, to, row);
      row += run;
    }
  }

  private TablePart.Sparse sparse() {
    return units.part().units().file().sparse();
  }

  private void load() {
    next = 0;
    end = 0;
    try {
      open();
      IndexSet stored = units.indices()[0];
      int count = Math.toIntExact(stored.count());
      Selection selection = units.part().units().selection(units.indices());
      minor = indices.readLongs(selection);
      match(count);
      int first = Math.min(units.skip(), end);
      end = first + Math.min(end - first, units.take(count));
      next = first;
      if (end > next) {
        findMajor(stored, count);
        if (needsValues) {
          values.read(selection, count);
        }
      }
    } catch (HyperslabException failure) {
      units.failed(failure, "", units.origin());
      end = next;
    }
  }

  private void match(int count) {
    if (matches.length < count) {
      matches = new int[count];
    }
    IndexSet wanted = units.part().minor();
    for (int i = 0; i < count; i++) {
      if (wanted == null || wanted.contains(minor[i])) {
        matches[end++] = i;
      }
    }
  }

  /** Finds the row of CSR, or the column of CSC, of each stored element. */
  private void findMajor(IndexSet stored, int count) {
    if (major.length < count) {
      major = new long[count];
    }
    int i = 0;
    for (int range = 0; range < stored.rangeCount(); range++) {
      long at = stored.rangeFirst(range);
      int row = Arrays.binarySearch(pointers, at);
      row = row >= 0 ? row : -row - 2;
      for (; at < stored.rangeEnd(range); at++) {
        while (row + 1 < pointers.length && pointers[row + 1] <= at) {
          row++;
        }
        major[i++] = row;
      }
    }
  }

  private void open() {
    if (openedFile == units.file()) {
      return;
    }
    closeDatasets();
    String group = sparse().group();
    indices = units.opened().file().dataset(group + "/indices");
    data = units.opened().file().dataset(group + "/data");
    values = Reading.whole(data, task.decode(), units.opened().name());
    try (Dataset dataset = units.opened().file().dataset(group + "/indptr")) {
      pointers = dataset.readLongs();
    }
    for (int i = 0; i + 1 < pointers.length; i++) {
      if (pointers[i] > pointers[i + 1]) {
        throw new CorruptFileException(
            units.opened().name(),
            "sparse matrix",
            CorruptFileException.NO_OFFSET,
            "actual=pointers that descend at " + i + ", expected=pointers that ascend");
      }
    }
    openedFile = units.file();
  }

  @Override
  void closeDatasets() {
    if (indices != null) {
      indices.close();
    }
    if (data != null) {
      data.close();
    }
    indices = null;
    data = null;
    openedFile = -1;
  }
}
