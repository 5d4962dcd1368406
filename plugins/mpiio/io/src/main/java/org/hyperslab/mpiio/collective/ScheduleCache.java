package org.hyperslab.mpiio.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;

/**
 * The schedules that a rank used last on a communicator, for accesses that are the same again at
 * another distance from the beginning of a file, of this or another file. Each rank finds by its
 * own extents what it has kept, and names that to the others by a number which all gave to the
 * access when it was planned; if all name the same number and the same distance, they have all had
 * the same access, and need not tell each other anything else.
 *
 * <p>Thread rule: safe.
 */
final class ScheduleCache {

  /** Schedules refer to extents of other ranks, so few are kept. */
  static final int MOST = 4;

  private final ArrayDeque<Kept> kept = new ArrayDeque<>();

  /**
   * The circumstances, besides extents, on which a schedule depends.
   *
   * @param write whether the file is written
   * @param reachable whether other threads may touch the memory
   * @param plain whether the memory is one piece outside the heap
   * @param contiguous whether the memory is one piece
   * @param hints the hints in force
   * @param fs the file system
   */
  record Key(
      boolean write,
      boolean reachable,
      boolean plain,
      boolean contiguous,
      Hints hints,
      FileSystemTraits fs) {}

  /**
   * A schedule.
   *
   * @param number of the access, the same on all ranks
   * @param key what it depends on
   * @param list this rank's extents
   * @param schedule moves the bytes
   * @param algorithm which one
   * @param explanation what was chosen and why
   * @param reach how the memory of other ranks is reached
   */
  record Kept(
      long number,
      Key key,
      ExtentRuns list,
      Schedule schedule,
      String algorithm,
      String explanation,
      CollectiveCall.Reach reach) {

    private boolean isFor(Key wanted, ExtentRuns extents) {
      return list.runs() == extents.runs()
          && list.totalBytes() == extents.totalBytes()
          && key.equals(wanted)
          && extents.moved(list.first() - extents.first()).equals(list);
    }
  }

  /**
   * Returns the schedules kept for such an access, the one kept last first; at most {@link #MOST}.
   */
  synchronized List<Kept> find(Key key, ExtentRuns extents) {
    List<Kept> found = new ArrayList<>();
    Iterator<Kept> newest = kept.descendingIterator();
    while (newest.hasNext()) {
      Kept next = newest.next();
      if (next.isFor(key, extents)) {
        found.add(next);
      }
    }
    return found;
  }

  /** Keeps a schedule, and forgets the one that was kept longest ago. */
  synchronized void keep(Kept schedule) {
    kept.addLast(schedule);
    if (kept.size() > MOST) {
      kept.removeFirst();
    }
  }

  /**
   * Returns a number for an access that no other is likely to have, from what all ranks said of it,
   * random numbers among that; never 0.
   */
  static long number(long[][] said) {
    long number = 0xcbf29ce484222325L;
    for (long[] each : said) {
      number = number * 0x9e3779b97f4a7c15L + Arrays.hashCode(each);
      number = (number ^ each[each.length - 1]) * 0xbf58476d1ce4e5b9L;
      number ^= number >>> 29;
    }
    return number == 0 ? 1 : number;
  }
}
