package org.hyperslab.simulation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;

/**
 * A rank in virtual time: its place in its schedule, the operations that it has started, and what
 * it has counted. Times are nanoseconds from the start.
 */
final class SimulatedRank implements Schedule.Findings {

  /** What a rank does when its time comes. */
  enum Turn {
    /** Begin its next step. */
    NEXT,
    /** Try its step again. */
    AGAIN,
    /** Make the next request of its step. */
    REQUEST
  }

  final int rank;
  Turn turn = Turn.NEXT;
  Step step;
  double now;
  double since;
  boolean ended;
  int meetings;

  /** The requests of the step that are still to be made. */
  ExtentList.Cursor requests;

  long requestsLeft;
  boolean writes;

  /** The owner of the window whose fence waits for puts to arrive; -1 if none does. */
  int fencing = -1;

  long messages;
  long messageBytes;
  long copiedBytes;
  private long reads;
  private long bytesRead;
  private long writeRequests;
  private long bytesWritten;

  private Schedule schedule;
  private int round;
  private long rounds;
  private List<Step> steps = List.of();
  private int position;

  private boolean waits;
  private int awaited;
  private int slots;
  private int[] slotNumber = new int[4];
  private int[] slotOpen = new int[4];
  private double[] slotEnd = new double[4];
  private Map<Integer, long[][]> received;

  SimulatedRank(int rank, Schedule schedule) {
    this.rank = rank;
    this.schedule = schedule;
  }

  /** Moves to the next step; returns null at the end of everything. */
  Step next() {
    while (position == steps.size()) {
      if (round == schedule.rounds().size() && !isContinued()) {
        return null;
      }
      if (round < schedule.rounds().size()) {
        steps = schedule.rounds().get(round++);
        position = 0;
        rounds++;
      }
    }
    step = steps.get(position++);
    return step;
  }

  /** Moves to the continuation; an ended rank drops its schedule, which may be large. */
  private boolean isContinued() {
    Schedule following = schedule.next() == null ? null : schedule.next().apply(this);
    schedule = following == null ? Schedule.empty(schedule.algorithm(), rank) : following;
    round = 0;
    steps = List.of();
    position = 0;
    return following != null;
  }

  private int slot(int number) {
    for (int i = 0; i < slots; i++) {
      if (slotNumber[i] == number) {
        return i;
      }
    }
    if (slots == slotNumber.length) {
      slotNumber = Arrays.copyOf(slotNumber, 2 * slots);
      slotOpen = Arrays.copyOf(slotOpen, 2 * slots);
      slotEnd = Arrays.copyOf(slotEnd, 2 * slots);
    }
    slotNumber[slots] = number;
    slotOpen[slots] = 0;
    slotEnd[slots] = 0;
    return slots++;
  }

  /** Starts an operation under a slot. */
  void open(int number) {
    int slot = slot(number); // may replace the arrays
    slotOpen[slot]++;
  }

  /** Records that an operation of a slot ends at a time, without having been opened. */
  void closed(int number, double end) {
    int slot = slot(number);
    slotEnd[slot] = Math.max(slotEnd[slot], end);
  }

  /** Waits for the operations of a slot; returns false if their end is not known yet. */
  boolean isComplete(int number) {
    int slot = slot(number);
    if (slotOpen[slot] > 0) {
      awaited = number;
      waits = true;
      return false;
    }
    now = Math.max(now, slotEnd[slot]);
    slots--;
    slotNumber[slot] = slotNumber[slots];
    slotOpen[slot] = slotOpen[slots];
    slotEnd[slot] = slotEnd[slots];
    return true;
  }

  /** Ends a started operation; returns whether the rank has waited for it and continues. */
  boolean isAwoken(int number, double end) {
    int slot = slot(number);
    slotOpen[slot]--;
    slotEnd[slot] = Math.max(slotEnd[slot], end);
    if (waits && awaited == number && slotOpen[slot] == 0) {
      waits = false;
      return isComplete(number);
    }
    return false;
  }

  /** Adds requests and their bytes to those that this rank has made. */
  void count(long requestCount, long bytes, boolean write) {
    if (write) {
      writeRequests += requestCount;
      bytesWritten += bytes;
    } else {
      reads += requestCount;
      bytesRead += bytes;
    }
  }

  void receive(int slot, long[][] numbers) {
    if (received == null) {
      received = new HashMap<>();
    }
    received.put(slot, numbers);
  }

  @Override
  public long[][] received(int slot) {
    return received == null ? null : received.get(slot);
  }

  @Override
  public RuntimeException failure() {
    return null;
  }

  @Override
  public StepCounts tally() {
    return new StepCounts(
        reads, bytesRead, writeRequests, bytesWritten, messages, messageBytes, copiedBytes, rounds);
  }
}
