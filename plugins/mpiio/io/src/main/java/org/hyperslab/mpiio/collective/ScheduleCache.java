package org.hyperslab.mpiio.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Caches the schedules that a rank used last on a communicator, for equal accesses at another place
 * of this or another file. Each rank looks up a schedule by its own extents, and names the number
 * that all ranks gave to the access when it was planned. If all name the same number and the same
 * distance, all repeat the same access, and need not exchange anything else.
 *
 * <p>Ranks that reach each other by messages alone agree by one reduction ({@link Offers}): its
 * cost does not grow with the accesses, as that of an exchange of summaries does.
 *
 * <p>Thread rule: safe.
 */
final class ScheduleCache {

  /** The greatest number of schedules; few, because they refer to extents of other ranks. */
  static final int MOST = 4;

  private final ArrayDeque<Kept> kept = new ArrayDeque<>();

  /**
   * The circumstances, besides extents, on which a schedule depends.
   *
   * @param write whether the file is written
   * @param reachable whether other threads may touch the memory
   * @param overlapped whether other accesses to the file may be in progress
   * @param plain whether the memory is one piece outside the heap
   * @param contiguous whether the memory is one piece
   * @param hints the hints in use
   * @param fs the file system
   */
  record Key(
      boolean write,
      boolean reachable,
      boolean overlapped,
      boolean plain,
      boolean contiguous,
      Hints hints,
      FileSystemTraits fs) {}

  /**
   * A cached schedule.
   *
   * @param number the number of the access, the same on all ranks
   * @param key the circumstances on which it depends
   * @param list this rank's extents
   * @param schedule the schedule that moves the bytes
   * @param algorithm the name of the algorithm
   * @param explanation the choices and their reasons
   * @param reach the means by which the memory of other ranks is reached
   * @param bytes the number of bytes of all ranks
   */
  record Kept(
      long number,
      Key key,
      ExtentRuns list,
      Schedule schedule,
      String algorithm,
      String explanation,
      CollectiveCall.Reach reach,
      long bytes) {

    private boolean isFor(Key wanted, ExtentRuns extents) {
      return list.runs() == extents.runs()
          && list.totalBytes() == extents.totalBytes()
          && key.equals(wanted)
          && extents.moved(list.first() - extents.first()).equals(list);
    }
  }

  /**
   * The cached schedules that a rank offers to repeat, as numbers whose minimum over all ranks says
   * whether they agree: each number beside its complement, the complement of whose minimum is the
   * maximum. A schedule's place follows from its number; if several of a rank have one place, the
   * latest has it.
   */
  static final class Offers {

    /** A number and a distance, each with its complement. */
    private static final int EACH = 4;

    private Offers() {}

    /**
     * Returns a rank's offers.
     *
     * @param kept the cached schedules for its access, the latest first
     * @param extents the extents of the access; empty ones agree with any distance
     */
    static long[] of(List<Kept> kept, ExtentRuns extents) {
      long[] offers = new long[EACH * MOST];
      Arrays.fill(offers, Long.MIN_VALUE);
      for (Kept each : kept) {
        int at = EACH * Math.floorMod(each.number, MOST);
        if (offers[at] == Long.MIN_VALUE) {
          long distance = extents.first() - each.list.first();
          offers[at] = each.number;
          offers[at + 1] = ~each.number;
          offers[at + 2] = extents.isEmpty() ? Long.MAX_VALUE : distance;
          offers[at + 3] = extents.isEmpty() ? Long.MAX_VALUE : ~distance;
        }
      }
      return offers;
    }

    /**
     * Returns the place of the first offer on which all ranks agree; -1 if there is none.
     *
     * @param least the minimum of all ranks' offers
     * @param unit the unit of which distances must be multiples
     */
    static int agreed(long[] least, long unit) {
      for (int at = 0; at < least.length; at += EACH) {
        boolean sameNumber = least[at] == ~least[at + 1];
        boolean sameDistance = least[at + 2] == ~least[at + 3];
        if (sameNumber && sameDistance && least[at + 2] % unit == 0) {
          return at;
        }
      }
      return -1;
    }
  }

  /** Returns the cached schedules for such an access, the latest first; at most {@link #MOST}. */
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

  /** Adds a schedule, and removes the oldest. */
  synchronized void keep(Kept schedule) {
    kept.addLast(schedule);
    if (kept.size() > MOST) {
      kept.removeFirst();
    }
  }

  /**
   * Returns a probably unique number for an access, from the numbers of all ranks, which include
   * random ones; never 0.
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
