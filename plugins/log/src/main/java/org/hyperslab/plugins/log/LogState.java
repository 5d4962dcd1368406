package org.hyperslab.plugins.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;

/**
 * What a migration has to do with a log: a function of its records and of the marker of the part.
 *
 * @param target the mark whose state results
 * @param toMigrate the elements that need not be in the part, in the order in which they are to be
 *     written: the writes up to that mark, then what was replaced after it, the last first
 */
record LogState(long target, List<LogRecord> toMigrate) {

  /**
   * Decides what is to be migrated. The part has the metadata of the mark of its marker; marks
   * behind it that needed no flush add to that state, and the first one that needed one, which has
   * not happened, ends it.
   *
   * @param records the intact records of the log
   * @param marker the marker; negative if all elements up to its mark are in the part
   * @param note what the log belongs to, for errors
   * @throws CorruptFileException if log and part do not belong to the same time
   */
  static LogState of(List<LogRecord> records, long marker, LogNote note) {
    long flushed = Math.abs(marker);
    if (marker < 0 && records.isEmpty()) {
      return new LogState(flushed, List.of());
    }
    long base = records.isEmpty() ? -1 : records.getFirst().number();
    long last = base;
    long target = flushed;
    boolean known = base == flushed;
    int flushedAt = known ? 0 : -1;
    int targetAt = known ? 0 : -1;
    for (int i = 1; i < records.size(); i++) {
      LogRecord record = records.get(i);
      if (record.kind() == LogRecord.Kind.MARK) {
        last = record.number();
        if (last == flushed) {
          flushedAt = i;
          targetAt = i;
        } else if (targetAt >= 0 && last == target + 1 && record.second() == 0) {
          target = last;
          targetAt = i;
        } else if (last > flushed) {
          break;
        }
      }
    }
    if (marker < 0 && base < flushed) {
      return new LogState(flushed, List.of());
    }
    if (flushedAt < 0) {
      throw new CorruptFileException(
          note.log().toString(),
          "log",
          CorruptFileException.NO_OFFSET,
          "actual=marks from "
              + base
              + " to "
              + last
              + ", expected=mark "
              + flushed
              + ", which the part has. Nothing of the log is used, and it is kept");
    }
    return new LogState(target, writes(records, flushedAt, targetAt));
  }

  private static List<LogRecord> writes(List<LogRecord> records, int flushedAt, int targetAt) {
    Map<Long, Integer> settled = new HashMap<>();
    for (int i = 0; i < flushedAt; i++) {
      if (records.get(i).kind() == LogRecord.Kind.SETTLED) {
        settled.put(records.get(i).number(), i);
      }
    }
    int all = settled.getOrDefault(-1L, -1);
    List<LogRecord> writes = new ArrayList<>();
    for (int i = 0; i < targetAt; i++) {
      LogRecord record = records.get(i);
      if (record.kind() == LogRecord.Kind.WRITE
          && i > all
          && i > settled.getOrDefault(record.number(), -1)) {
        writes.add(record);
      }
    }
    for (int i = records.size() - 1; i > targetAt; i--) {
      if (records.get(i).kind() == LogRecord.Kind.REPLACED) {
        writes.add(records.get(i));
      }
    }
    return writes;
  }
}
