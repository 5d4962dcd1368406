package org.hyperslab.spark.read;

import java.io.Closeable;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.spark.table.OpenSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through the units of a task, and has the file of each of them open.
 *
 * <p>Thread rule: one thread.
 */
final class UnitSequence implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(UnitSequence.class);

  private final ScanTask task;
  private final UnitPartition partition;
  private int range = -1;
  private long unit;
  private long rest;
  private long skip;
  private IndexSet[] indices;
  private OpenSource opened;
  private int openedFile = -1;
  private long damaged;

  UnitSequence(ScanTask task, UnitPartition partition) {
    this.task = task;
    this.partition = partition;
  }

  private UnitPartition.Range range() {
    return partition.ranges().get(range);
  }

  /** Goes to the next unit; returns whether there is one. */
  boolean next() {
    unit++;
    while (range < 0 || unit >= range().end() || rest <= 0) {
      if (range + 1 >= partition.ranges().size()) {
        finishFile();
        return false;
      }
      range++;
      unit = range().first();
      rest = range().rows();
    }
    skip = unit == range().first() ? range().skip() : 0;
    if (openedFile != range().file()) {
      finishFile();
      opened = OpenSource.open(part().units().file().file(), task.properties());
      openedFile = range().file();
      opened.requireUnchanged(part().units().file().stamp());
    }
    indices = part().units().indices(unit);
    return true;
  }

  /** Closes the file, which must be the one that was planned up to here. */
  private void finishFile() {
    if (opened == null) {
      return;
    }
    try {
      opened.requireUnchanged(task.parts().get(openedFile).units().file().stamp());
    } finally {
      close();
    }
  }

  OpenSource opened() {
    return opened;
  }

  /** Returns a number that differs between files. */
  int file() {
    return range().file();
  }

  ScanPart part() {
    return task.parts().get(range().file());
  }

  /** Returns the selected indices of the unit, in each dimension. */
  IndexSet[] indices() {
    return indices;
  }

  long[] origin() {
    return part().units().origin(unit);
  }

  /** Returns the number of rows at the beginning of the unit that are not wanted. */
  int skip() {
    return Math.toIntExact(skip);
  }

  /** Returns how many rows of a unit are wanted, and counts them. */
  int take(long rows) {
    long taken = Math.min(rows - skip, rest);
    rest -= taken;
    return Math.toIntExact(taken);
  }

  long damaged() {
    return damaged;
  }

  /** Returns the selected indices of each chunk of the unit. */
  List<IndexSet[]> chunks() {
    return part().units().chunks(unit);
  }

  /**
   * Tells that the unit cannot be read.
   *
   * @param failure why
   * @param variable the dataset that was read; empty if it is not known
   * @param chunk the first element of the chunk
   * @throws HyperslabException unless what is damaged is left out
   */
  void failed(HyperslabException failure, String variable, long[] chunk) {
    HyperslabException told =
        failure.withMessage(
            failure.getMessage()
                + (variable.isEmpty() ? "" : ", variable=" + variable)
                + ", chunk="
                + Arrays.toString(chunk)
                + ", file="
                + part().units().file().file());
    boolean isDamage =
        failure instanceof CorruptFileException || failure instanceof StorageException;
    if (!task.skipDamaged() || !isDamage) {
      throw told;
    }
    damaged++;
    LOG.warn("left out: {}", told.getMessage());
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
    }
    opened = null;
    openedFile = -1;
  }
}
