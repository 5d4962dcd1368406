package org.hyperslab.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;

/**
 * Runs the schedules of all ranks in virtual time on a machine that need not exist: no byte is
 * moved and no buffer allocated, only times are added up. Exchanges of numbers are executed, so
 * that schedules can compute their continuations.
 *
 * <p>A message begins when both sides are ready for it. Events happen in the order of their times,
 * so that links and servers serve requests first come, first served. Locks are assumed to be free.
 *
 * <p>Thread rule: one thread.
 */
final class SimulatedDriver {

  /** Receives every step. */
  @FunctionalInterface
  public interface StepListener {

    /**
     * Receives a step that has ended.
     *
     * @param rank the rank of the step
     * @param step the step
     * @param startNanos the time of its start, in nanoseconds from the start
     * @param endNanos the time at which the rank continued; steps that only start something end at
     *     once
     */
    void ended(int rank, Step step, double startNanos, double endNanos);
  }

  /**
   * The result of a simulation.
   *
   * @param rankNanos the end of each rank, in nanoseconds from the start
   * @param stepNanos the time of all ranks in steps of each kind, including waiting, by the kind's
   *     name
   * @param tallies the counts of each rank
   */
  public record Result(
      double[] rankNanos, Map<String, Double> stepNanos, List<StepCounts> tallies) {

    /** {@return the end of the last rank, in nanoseconds from the start} */
    public double nanos() {
      double last = 0;
      for (double each : rankNanos) {
        last = Math.max(last, each);
      }
      return last;
    }
  }

  private final SimulatedMachine machine;
  private final StepListener listener;
  private final List<Actor> actors = new ArrayList<>();
  private final PriorityQueue<Actor> ready =
      new PriorityQueue<>(
          Comparator.comparingDouble((Actor actor) -> actor.now).thenComparingInt(a -> a.rank));
  private final Map<Long, Deque<Half>> halves = new HashMap<>();
  private final Map<Integer, Meeting> meetings = new HashMap<>();
  private final Map<String, Double> stepNanos = new TreeMap<>();
  private final SimulatedWindows<Actor> windows;
  private int running;

  private SimulatedDriver(RankMap ranks, UnstatedCosts costs, StepListener listener) {
    this.machine = new SimulatedMachine(ranks, costs);
    this.windows = new SimulatedWindows<>(machine);
    this.listener = listener;
  }

  /**
   * Runs the schedules of all ranks on a simulated machine until every one has ended.
   *
   * @param ranks the processor of each rank
   * @param costs the costs that the machine does not specify
   * @param schedules returns the schedule of each rank; called once for each, in ascending order
   * @param listener receives every step; may be null
   * @return the times and counts
   * @throws InvalidUseException if the schedules deadlock; it names a rank and its step
   */
  public static Result run(
      RankMap ranks, UnstatedCosts costs, IntFunction<Schedule> schedules, StepListener listener) {
    return new SimulatedDriver(ranks, costs, listener).run(ranks.size(), schedules);
  }

  private Result run(int ranks, IntFunction<Schedule> schedules) {
    for (int rank = 0; rank < ranks; rank++) {
      actors.add(new Actor(rank, schedules.apply(rank)));
    }
    running = ranks;
    ready.addAll(actors);
    while (!ready.isEmpty()) {
      Actor actor = ready.poll();
      while (actor != null) {
        actor = proceed(actor);
      }
    }
    if (running > 0) {
      throw stuck();
    }
    double[] nanos = actors.stream().mapToDouble(actor -> actor.now).toArray();
    return new Result(nanos, stepNanos, actors.stream().map(Actor::tally).toList());
  }

  private InvalidUseException stuck() {
    Actor first = actors.stream().filter(actor -> !actor.ended).findFirst().orElseThrow();
    return new InvalidUseException(
        "schedules: actual=rank "
            + first.rank
            + " waits forever in "
            + first.step
            + ", as "
            + (running - 1)
            + " others do, expected=schedules that all end");
  }

  /**
   * Executes an actor's next step; returns the actor if it may continue at once, before all others.
   */
  private Actor proceed(Actor actor) {
    if (actor.requestsLeft == 0) {
      Step step = actor.next();
      if (step == null) {
        actor.ended = true;
        running--;
        return null;
      }
      actor.since = actor.now;
      if (!start(actor, step)) {
        return null;
      }
    }
    actor.issueRequest();
    if (actor.requestsLeft == 0) {
      end(actor);
    }
    if (!ready.isEmpty() && ready.peek().now < actor.now) {
      ready.add(actor);
      return null;
    }
    return actor;
  }

  private void end(Actor actor) {
    String kind = actor.step.getClass().getSimpleName();
    stepNanos.merge(kind, actor.now - actor.since, Double::sum);
    if (listener != null) {
      listener.ended(actor.rank, actor.step, actor.since, actor.now);
    }
  }

  /** Starts a step; returns false if the actor waits. */
  private boolean start(Actor actor, Step step) {
    switch (step) {
      case Step.Send send -> {
        actor.messages++;
        actor.messageBytes += send.length();
        meet(actor, send.destination(), send.length(), send.slot(), true);
      }
      case Step.Receive receive ->
          meet(actor, receive.source(), receive.length(), receive.slot(), false);
      case Step.Await await -> {
        return actor.await(await.slot());
      }
      case Step.Put put -> {
        actor.messages++;
        actor.messageBytes += put.length();
        windows.put(actor.rank, put, actor.now);
      }
      case Step.Fence fence ->
          actor.now = windows.fence(actor.rank, fence, actor.now, this::awaken);
      case Step.Expose expose -> windows.expose(actor.rank, expose, actor.now, this::awaken);
      case Step.AwaitFences _, Step.AwaitExposure _ -> {
        double end = windows.await(actor, actor.rank, step, actor.now);
        actor.now = Math.max(actor.now, end);
        return end >= 0;
      }
      case Step.Barrier _ -> {
        gather(actor, BARRIER_SLOT, new long[0][], null);
        return actor.await(BARRIER_SLOT);
      }
      case Step.GatherAll all -> gather(actor, all.slot(), new long[][] {all.mine()}, null);
      case Step.ExchangeAll all -> gather(actor, all.slot(), all.forRank(), null);
      case Step.ReduceAll all -> gather(actor, all.slot(), new long[][] {all.values()}, all);
      case Step.Copy copy -> actor.copy(copy.length());
      case Step.Scatter scatter -> actor.copy(scatter.to().totalBytes());
      case Step.Gather gather -> actor.copy(gather.from().totalBytes());
      case Step.Read read -> actor.request(read.file(), false);
      case Step.Write write -> actor.request(write.file(), true);
      case Step.SkippingRead read -> actor.request(read.file().closingGaps(read.gapBytes()), false);
      case Step.ListTransfer list -> actor.list(list);
      case Step.Allocate _, Step.Release _, Step.Lock _, Step.Unlock _ -> {
        // Their time is negligible.
      }
    }
    return true;
  }

  private void awaken(Actor actor, double at) {
    actor.now = Math.max(actor.now, at);
    end(actor);
    ready.add(actor);
  }

  private static final int BARRIER_SLOT = Integer.MIN_VALUE;

  /** One side of a message that waits for the other. */
  private record Half(Actor actor, int slot, long bytes, double at, boolean send) {}

  private void meet(Actor actor, int other, long bytes, int slot, boolean send) {
    Slot own = actor.slot(slot);
    own.open++;
    int from = send ? actor.rank : other;
    int to = send ? other : actor.rank;
    long lane = (long) from << Integer.SIZE | to;
    Deque<Half> waiting = halves.computeIfAbsent(lane, absent -> new ArrayDeque<>());
    if (waiting.isEmpty() || waiting.peek().send == send) {
      waiting.add(new Half(actor, slot, bytes, actor.now, send));
      return;
    }
    Half half = waiting.poll();
    if (waiting.isEmpty()) {
      halves.remove(lane);
    }
    if (half.bytes != bytes) {
      throw new InvalidUseException(
          "schedules: actual=a message of "
              + (send ? bytes : half.bytes)
              + " bytes from rank "
              + from
              + " to "
              + to
              + ", expected="
              + (send ? half.bytes : bytes));
    }
    double end = machine.message(from, to, bytes, Math.max(actor.now, half.at));
    actor.arrived(slot, end);
    half.actor.arrived(half.slot, end);
  }

  /** An exchange between all ranks, in the order in which each begins. */
  private static final class Meeting {
    final long[][][] told;
    final int[] slots;
    int present;
    double last;
    long bytes;

    Meeting(int ranks) {
      told = new long[ranks][][];
      slots = new int[ranks];
    }
  }

  private void gather(Actor actor, int slot, long[][] told, Step.ReduceAll reduction) {
    int index = actor.meetings++;
    Meeting meeting = meetings.computeIfAbsent(index, absent -> new Meeting(actors.size()));
    meeting.told[actor.rank] = told;
    meeting.slots[actor.rank] = slot;
    meeting.present++;
    meeting.last = Math.max(meeting.last, actor.now);
    long mine = 0;
    for (long[] numbers : told) {
      mine += numbers == null ? 0 : (long) numbers.length * Long.BYTES;
    }
    meeting.bytes += told.length > 1 ? mine / actors.size() : mine;
    actor.slot(slot).open++;
    if (meeting.present < actors.size()) {
      return;
    }
    meetings.remove(index);
    long bytes = reduction == null ? meeting.bytes : mine;
    double end = machine.collective(actors.size(), bytes, meeting.last);
    long[][] shared = shared(meeting, reduction);
    for (Actor each : actors) {
      long[][] received = shared != null ? shared : forRank(meeting, each.rank);
      each.received.put(meeting.slots[each.rank], received);
      each.arrived(meeting.slots[each.rank], end);
    }
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

  private static long[][] forRank(Meeting meeting, int rank) {
    long[][] received = new long[meeting.told.length][];
    for (int other = 0; other < received.length; other++) {
      received[other] = meeting.told[other][rank];
    }
    return received;
  }

  /** The operations started under a slot number. */
  private static final class Slot {
    int open;
    double end;
  }

  /** A rank in virtual time. */
  private final class Actor implements Schedule.Findings {
    final int rank;
    final Map<Integer, Slot> slots = new HashMap<>();
    final Map<Integer, long[][]> received = new HashMap<>();
    Schedule schedule;
    ExtentList.Cursor requests;
    long requestsLeft;
    int round;
    List<Step> steps = List.of();
    int position;
    Step step;
    double now;
    double since;
    int waiting;
    boolean waits;
    boolean ended;
    int meetings;
    long rounds;
    long reads;
    long bytesRead;
    long writes;
    long bytesWritten;
    long messages;
    long messageBytes;
    long copiedBytes;

    Actor(int rank, Schedule schedule) {
      this.rank = rank;
      this.schedule = schedule;
    }

    /** Returns the next step; null at the end of everything. */
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

    Slot slot(int number) {
      return slots.computeIfAbsent(number, absent -> new Slot());
    }

    /** Waits for the operations of a slot; returns false if their end is not known yet. */
    boolean await(int number) {
      Slot slot = slot(number);
      if (slot.open > 0) {
        waiting = number;
        waits = true;
        return false;
      }
      now = Math.max(now, slot.end);
      return true;
    }

    /** Records the end of a started operation. */
    void arrived(int number, double end) {
      Slot slot = slot(number);
      slot.open--;
      slot.end = Math.max(slot.end, end);
      if (waits && waiting == number && slot.open == 0) {
        waits = false;
        now = Math.max(now, slot.end);
        SimulatedDriver.this.end(this);
        ready.add(this);
      }
    }

    void copy(long bytes) {
      copiedBytes += bytes;
      now = machine.copy(bytes, now);
    }

    void request(ExtentRuns moved, boolean write) {
      if (write) {
        writes += moved.count();
        bytesWritten += moved.totalBytes();
      } else {
        reads += moved.count();
        bytesRead += moved.totalBytes();
      }
      if (moved.count() > SimulatedMachine.MAX_EXTENTS) {
        now = machine.many(rank, moved, now);
      } else {
        requests = moved.cursor();
        requestsLeft = moved.count();
      }
    }

    /** Makes one of the requests of a step, so that those of other ranks come in between. */
    void issueRequest() {
      if (requestsLeft > 0) {
        requests.next();
        requestsLeft--;
        now = machine.request(rank, requests.offset(), requests.length(), now);
      }
    }

    void list(Step.ListTransfer list) {
      if (list.write()) {
        writes++;
        bytesWritten += list.file().totalBytes();
      } else {
        reads++;
        bytesRead += list.file().totalBytes();
      }
      now = machine.list(rank, list.file(), now);
    }

    @Override
    public long[][] received(int slot) {
      return received.get(slot);
    }

    @Override
    public RuntimeException failure() {
      return null;
    }

    @Override
    public StepCounts tally() {
      return new StepCounts(
          reads, bytesRead, writes, bytesWritten, messages, messageBytes, copiedBytes, rounds);
    }
  }
}
