package org.hyperslab.simulation;

import java.util.HashMap;
import java.util.Map;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Exchanges of numbers between all ranks, in the order in which each rank begins them. An exchange
 * takes the time of a tree of messages, up and down, and of each rank's bytes on the slowest link.
 */
final class SimulatedMeetings {

  private final int ranks;
  private final double roundNanos;
  private final double leastBytesPerNano;
  private final Map<Integer, Meeting> meetings = new HashMap<>();

  /** An exchange that not all ranks have begun. */
  static final class Meeting {
    private final long[][][] told;
    private final int[] slots;
    private int present;
    private double last;
    private long bytes;

    Meeting(int ranks) {
      told = new long[ranks][][];
      slots = new int[ranks];
    }
  }

  /**
   * What ranks have told each other.
   *
   * @param nanos when every rank knows it
   * @param slots the slot under which each rank has begun the exchange
   * @param told the numbers of each rank for each rank, or for all
   * @param shared the result of all ranks; null if the results differ
   */
  record Told(double nanos, int[] slots, long[][][] told, long[][] shared) {

    /** Returns what a rank learns. */
    long[][] forRank(int rank) {
      if (shared != null) {
        return shared;
      }
      long[][] received = new long[told.length][];
      for (int other = 0; other < received.length; other++) {
        received[other] = told[other][rank];
      }
      return received;
    }
  }

  SimulatedMeetings(Machine machine, int ranks) {
    this.ranks = ranks;
    int depth = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, ranks - 1));
    double far = machine.levels().getLast().latencyNanos();
    this.roundNanos = 2 * depth * (far + 2 * machine.messages().overheadNanos());
    this.leastBytesPerNano =
        machine.levels().stream().mapToDouble(Level::bytesPerSecond).min().orElse(1e9) / 1e9;
  }

  /** Begins an exchange of a rank; returns its result if all ranks have begun it, else null. */
  Told begin(SimulatedRank rank, int slot, long[][] told, Step.ReduceAll reduction) {
    int index = rank.meetings++;
    Meeting meeting = meetings.computeIfAbsent(index, absent -> new Meeting(ranks));
    meeting.told[rank.rank] = told;
    meeting.slots[rank.rank] = slot;
    meeting.present++;
    meeting.last = Math.max(meeting.last, rank.now);
    long mine = 0;
    for (long[] numbers : told) {
      mine += numbers == null ? 0 : (long) numbers.length * Long.BYTES;
    }
    meeting.bytes += told.length > 1 ? mine / ranks : mine;
    if (meeting.present < ranks) {
      return null;
    }
    meetings.remove(index);
    long bytes = reduction == null ? meeting.bytes : mine;
    double end = meeting.last + roundNanos + bytes / leastBytesPerNano;
    return new Told(end, meeting.slots, meeting.told, shared(meeting, reduction));
  }

  /** Returns the result that all ranks share; null if the results differ. */
  private static long[][] shared(Meeting meeting, Step.ReduceAll reduction) {
    if (reduction != null) {
      long[] values = meeting.told[0][0].clone();
      for (int rank = 1; rank < meeting.told.length; rank++) {
        for (int i = 0; i < values.length; i++) {
          values[i] = reduction.reduction().apply(values[i], meeting.told[rank][0][i]);
        }
      }
      return new long[][] {values};
    }
    if (meeting.told[0].length > 1 || meeting.told.length == 1) {
      return meeting.told.length == 1 ? meeting.told[0] : null;
    }
    long[][] all = new long[meeting.told.length][];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = meeting.told[rank].length == 0 ? new long[0] : meeting.told[rank][0];
    }
    return all;
  }
}
