package org.hyperslab.spark.read;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * Divides units among tasks. Tasks have about the same number of bytes of elements, and successive
 * units; small files share a task.
 *
 * <p>Thread rule: one thread.
 */
final class PartitionPlan {

  /** The most tasks; more would burden Spark's driver more than they help. */
  static final long MOST = 200_000;

  private final List<InputPartition> partitions = new ArrayList<>();
  private final List<UnitPartition.Range> open = new ArrayList<>();
  private final long targetRows;
  private long openRows;
  private long skip;
  private long rest;

  /**
   * Starts a plan.
   *
   * @param targetRows the rows of a task
   * @param skip the rows to leave out at the beginning
   * @param limit the most rows after that
   */
  private PartitionPlan(long targetRows, long skip, long limit) {
    this.targetRows = targetRows;
    this.skip = skip;
    this.rest = limit;
  }

  /**
   * Divides the units of several files.
   *
   * @param grids the files
   * @param rowBytes the bytes of a row
   * @param targetBytes the bytes of a task
   * @param cores the number of tasks that run at once
   * @param skip the rows to leave out at the beginning
   * @param limit the most rows after that
   */
  static InputPartition[] of(
      List<UnitGrid> grids, long rowBytes, long targetBytes, int cores, long skip, long limit) {
    long all = 0;
    for (UnitGrid grid : grids) {
      all = Math.addExact(all, grid.rows());
    }
    long rows = Math.min(Math.max(0, all - skip), limit);
    long target = Math.max(1, targetBytes / Math.max(1, rowBytes));
    target = Math.min(target, Math.max(1, Math.ceilDiv(rows, Math.max(1, cores))));
    target = Math.max(target, Math.ceilDiv(all, MOST));
    PartitionPlan plan = new PartitionPlan(target, skip, limit);
    for (int i = 0; i < grids.size() && plan.rest > 0; i++) {
      plan.add(i, grids.get(i));
    }
    plan.finish();
    return plan.partitions.toArray(InputPartition[]::new);
  }

  private void add(int file, UnitGrid grid) {
    long units = grid.count();
    long rows = grid.rows();
    if (units == 0) {
      return;
    }
    if (skip >= rows) {
      skip -= rows;
      return;
    }
    boolean isCut = skip > 0 || rest < rows;
    long perUnit = Math.max(1, rows / units);
    long unit = 0;
    while (unit < units && rest > 0) {
      long wanted = Math.max(1, (targetRows - openRows + perUnit - 1) / perUnit);
      long end = isCut ? unit + 1 : Math.min(units, unit + wanted);
      long has = isCut ? grid.rows(unit) : (end - unit) * perUnit;
      if (skip >= has && isCut) {
        skip -= has;
        unit = end;
        continue;
      }
      long taken = isCut ? Math.min(has - skip, rest) : has;
      boolean isWhole = !isCut || skip + taken == has;
      add(new UnitPartition.Range(file, unit, end, skip, isWhole ? Long.MAX_VALUE : taken));
      skip = 0;
      rest -= isCut ? taken : 0;
      openRows += taken;
      unit = end;
      if (openRows >= targetRows) {
        finish();
      }
    }
    if (!isCut && rest != Long.MAX_VALUE) {
      rest -= rows;
    }
  }

  private void add(UnitPartition.Range range) {
    UnitPartition.Range last = open.isEmpty() ? null : open.getLast();
    boolean joins =
        last != null
            && last.file() == range.file()
            && last.end() == range.first()
            && last.rows() == Long.MAX_VALUE
            && range.rows() == Long.MAX_VALUE;
    if (joins) {
      open.set(
          open.size() - 1,
          new UnitPartition.Range(
              last.file(), last.first(), range.end(), last.skip(), Long.MAX_VALUE));
    } else {
      open.add(range);
    }
  }

  private void finish() {
    if (!open.isEmpty()) {
      partitions.add(new UnitPartition(open));
    }
    open.clear();
    openRows = 0;
  }
}
