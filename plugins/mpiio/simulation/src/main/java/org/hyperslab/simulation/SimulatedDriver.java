package org.hyperslab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.simulation.SimulatedMessages.Kind;
import org.hyperslab.simulation.SimulatedRank.Turn;
import org.hyperslab.simulation.network.EventQueue;
import org.hyperslab.simulation.network.FlowMessages;
import org.hyperslab.simulation.network.LogGpMessages;
import org.hyperslab.simulation.network.MessageModel;

/**
 * Runs the schedules of all ranks in virtual time on a machine that need not exist: no byte is
 * moved and no buffer allocated, only times are computed. Exchanges of numbers are executed, so
 * that schedules can compute their continuations.
 *
 * <p>Events happen in the order of their times: ranks continue, messages arrive ({@link
 * MessageModel}), requests reach servers ({@link SimulatedStorage}). Locks are assumed to be free.
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
   * What schedules run on.
   *
   * @param ranks the processor of each rank
   * @param storage the servers of the file
   * @param costs the costs that the machine does not specify
   * @param network the model of messages
   * @param tests when ranks that compute meanwhile go on
   */
  record Setting(
      RankMap ranks,
      StorageServers storage,
      UnstatedCosts costs,
      SimulatedNetwork network,
      TestPoints tests) {

    Setting(RankMap ranks, StorageServers storage, UnstatedCosts costs, SimulatedNetwork network) {
      this(ranks, storage, costs, network, TestPoints.NONE);
    }

    Setting(RankMap ranks, UnstatedCosts costs) {
      this(ranks, ranks.machine().storage(), costs, SimulatedNetwork.FLOWS);
    }

    Setting with(TestPoints points) {
      return new Setting(ranks, storage, costs, network, points);
    }
  }

  /**
   * The result of a simulation.
   *
   * @param rankNanos the end of each rank, in nanoseconds from the start
   * @param stepNanos the time of all ranks in steps of each kind, including waiting, by the kind's
   *     name
   * @param tallies the counts of each rank
   * @param events the number of steps, of arrivals of requests, and of events of messages
   */
  public record Result(
      double[] rankNanos, Map<String, Double> stepNanos, List<StepCounts> tallies, long events) {

    /** {@return the end of the last rank, in nanoseconds from the start} */
    public double nanos() {
      double last = 0;
      for (double each : rankNanos) {
        last = Math.max(last, each);
      }
      return last;
    }
  }

  private static final int BARRIER_SLOT = Integer.MIN_VALUE;

  private final RankMap ranks;
  private final StepListener listener;
  private final MessageModel network;
  private final TestPoints tests;
  private final SimulatedStorage storage;
  private final SimulatedMessages messages = new SimulatedMessages();
  private final SimulatedMeetings meetings;
  private final SimulatedWindows<SimulatedRank> windows = new SimulatedWindows<>();
  private final StepTimes times = new StepTimes();
  private final double copyBytesPerNano;
  private final EventQueue ready;
  private SimulatedRank[] actors;
  private int running;
  private long events;

  private SimulatedDriver(Setting setting, StepListener listener) {
    this.ranks = setting.ranks();
    double copies = setting.costs().copyBytesPerSecond();
    this.copyBytesPerNano = copies / 1e9;
    this.listener = listener;
    this.tests = setting.tests();
    this.network =
        switch (setting.network()) {
          case FLOWS -> new FlowMessages(ranks, copies, this::arrived);
          case LOGGP -> new LogGpMessages(ranks, copies, this::arrived);
        };
    this.storage = new SimulatedStorage(ranks, setting.storage(), setting.costs(), this::answered);
    this.meetings = new SimulatedMeetings(ranks.machine(), ranks.size());
    this.ready = new EventQueue(ranks.size());
  }

  /**
   * Runs the schedules of all ranks on a simulated machine until every one has ended.
   *
   * @param setting what they run on
   * @param schedules returns the schedule of each rank; called once for each, in ascending order
   * @param listener receives every step; may be null
   * @return the times and counts
   * @throws InvalidUseException if the schedules deadlock; it names a rank and its step
   */
  public static Result run(
      Setting setting, IntFunction<Schedule> schedules, StepListener listener) {
    return new SimulatedDriver(setting, listener).run(schedules);
  }

  private Result run(IntFunction<Schedule> schedules) {
    running = ranks.size();
    actors = new SimulatedRank[running];
    for (int rank = 0; rank < actors.length; rank++) {
      actors[rank] = new SimulatedRank(rank, schedules.apply(rank));
      ready.set(rank, 0);
    }
    while (happens()) {
      events++;
    }
    if (running > 0) {
      throw stuck();
    }
    double[] nanos = new double[actors.length];
    List<StepCounts> tallies = new ArrayList<>();
    for (SimulatedRank each : actors) {
      nanos[each.rank] = Math.max(each.now, tests.endNanos());
      tallies.add(each.tally());
    }
    return new Result(nanos, times.byName(), tallies, events);
  }

  /** Makes the next event happen; returns false if there is none. */
  private boolean happens() {
    double rank = ready.nextTime();
    double message = network.nextTime();
    double request = storage.nextTime();
    if (message <= rank && message <= request && message < Double.POSITIVE_INFINITY) {
      network.advance();
    } else if (request <= rank && request < Double.POSITIVE_INFINITY) {
      storage.advance();
    } else if (rank < Double.POSITIVE_INFINITY) {
      SimulatedRank actor = actors[ready.poll()];
      actor.now = Math.max(actor.now, rank);
      proceed(actor);
    } else {
      return false;
    }
    return true;
  }

  private InvalidUseException stuck() {
    SimulatedRank first = null;
    for (int rank = actors.length - 1; rank >= 0; rank--) {
      first = actors[rank].ended ? first : actors[rank];
    }
    return new InvalidUseException(
        "schedules: actual=rank "
            + first.rank
            + " waits forever in "
            + first.step
            + ", as "
            + (running - 1)
            + " others do, expected=schedules that all end");
  }

  /** Executes steps of a rank until it waits, ends, or another event comes before its next step. */
  private void proceed(SimulatedRank actor) {
    while (isStepDone(actor)) {
      events++;
      end(actor);
      actor.turn = Turn.NEXT;
      double others = Math.min(network.nextTime(), storage.nextTime());
      if (Math.min(others, ready.nextTime()) < actor.now) {
        ready.set(actor.rank, actor.now);
        return;
      }
    }
  }

  /** Returns whether the rank has ended a step. */
  private boolean isStepDone(SimulatedRank actor) {
    if (actor.turn == Turn.REQUEST) {
      boolean issued = issue(actor);
      if (!issued) {
        network.release(actor.rank, actor.now);
      }
      return !issued;
    }
    if (actor.turn == Turn.NEXT) {
      if (actor.next() == null) {
        actor.ended = true;
        running--;
        return false;
      }
      actor.since = actor.now;
    }
    return start(actor, actor.step);
  }

  private void end(SimulatedRank actor) {
    times.add(actor.step, actor.now - actor.since);
    if (listener != null) {
      listener.ended(actor.rank, actor.step, actor.since, actor.now);
    }
  }

  /** Ends the step of a rank that has waited for something. */
  private void awaken(SimulatedRank actor, double at) {
    actor.now = Math.max(actor.now, at);
    events++;
    end(actor);
    actor.turn = Turn.NEXT;
    ready.set(actor.rank, tests.noticed(actor.now));
  }

  /** Starts a step; returns false if the rank waits. */
  private boolean start(SimulatedRank actor, Step step) {
    return switch (step) {
      case Step.Send send -> isSent(actor, send);
      case Step.Receive receive -> {
        receive(actor, receive);
        yield true;
      }
      case Step.Await await -> isAwaited(actor, await.slot());
      case Step.Put put -> isPut(actor, put);
      case Step.Fence fence -> isFenced(actor, fence);
      case Step.Expose expose -> {
        windows.expose(actor.rank, expose, actor.now, this::awaken);
        yield true;
      }
      case Step.AwaitFences _, Step.AwaitExposure _ -> {
        double end = windows.await(actor, actor.rank, step, actor.now);
        actor.now = Math.max(actor.now, end);
        yield end >= 0;
      }
      case Step.Barrier _ -> {
        gather(actor, BARRIER_SLOT, new long[0][], null);
        yield isAwaited(actor, BARRIER_SLOT);
      }
      case Step.GatherAll all -> gather(actor, all.slot(), new long[][] {all.mine()}, null);
      case Step.ExchangeAll all -> gather(actor, all.slot(), all.forRank(), null);
      case Step.ReduceAll all -> gather(actor, all.slot(), new long[][] {all.values()}, all);
      case Step.Copy copy -> isCopied(actor, copy.length());
      case Step.Scatter scatter -> isCopied(actor, scatter.to().totalBytes());
      case Step.Gather gather -> isCopied(actor, gather.from().totalBytes());
      case Step.Read read -> isAnswered(actor, read.file(), false);
      case Step.Write write -> isAnswered(actor, write.file(), true);
      case Step.SkippingRead read ->
          isAnswered(actor, read.file().closingGaps(read.gapBytes()), false);
      case Step.ListTransfer list -> isListed(actor, list);
      case Step.Allocate _, Step.Release _, Step.Lock _, Step.Unlock _ -> true; // negligible
    };
  }

  private boolean isAwaited(SimulatedRank actor, int slot) {
    double before = actor.now;
    boolean complete = actor.isComplete(slot);
    if (actor.now > before) {
      actor.now = tests.noticed(actor.now);
    }
    return complete;
  }

  private boolean isCopied(SimulatedRank actor, long bytes) {
    actor.copiedBytes += bytes;
    actor.now = network.work(actor.rank, actor.now, bytes / copyBytesPerNano);
    return true;
  }

  /** Begins to send; returns false if the rank must wait for its processor or its node. */
  private boolean mayNotSend(SimulatedRank actor) {
    double at = network.sendTime(actor.rank, actor.now);
    if (at <= actor.now) {
      actor.now = network.overhead(actor.rank, actor.now);
      return false;
    }
    actor.turn = Turn.AGAIN;
    ready.set(actor.rank, at);
    return true;
  }

  private boolean isSent(SimulatedRank actor, Step.Send send) {
    if (mayNotSend(actor)) {
      return false;
    }
    actor.messages++;
    actor.messageBytes += send.length();
    if (network.isEager()) {
      int message = messages.create(Kind.EAGER, 0, 0, 0);
      network.start(message, actor.rank, send.destination(), send.length(), actor.now);
      return true;
    }
    actor.open(send.slot());
    int half =
        messages.match(actor.rank, send.destination(), true, send.slot(), send.length(), actor.now);
    if (half >= 0) {
      int message = messages.create(Kind.PAIR, send.slot(), messages.slot(half), 0);
      network.start(message, actor.rank, send.destination(), send.length(), actor.now);
    }
    return true;
  }

  private void receive(SimulatedRank actor, Step.Receive receive) {
    int source = receive.source();
    int half =
        messages.match(source, actor.rank, false, receive.slot(), receive.length(), actor.now);
    if (network.isEager() && half >= 0) {
      actor.closed(receive.slot(), messages.at(half)); // it has come before
      return;
    }
    actor.open(receive.slot());
    if (half >= 0) {
      double at = Math.max(actor.now, messages.at(half));
      int message = messages.create(Kind.PAIR, messages.slot(half), receive.slot(), 0);
      network.start(message, source, actor.rank, receive.length(), at);
    }
  }

  /** Receives the arrival of a message. */
  private void arrived(int message, double at, double received) {
    int from = network.sender(message);
    int to = network.receiver(message);
    Kind kind = messages.kind(message);
    int sent = messages.sendSlot(message);
    int taken = messages.receiveSlot(message);
    long epoch = messages.epoch(message);
    messages.release(message);
    switch (kind) {
      case PAIR -> {
        close(actors[from], sent, at);
        close(actors[to], taken, received);
      }
      case EAGER -> {
        int half = messages.match(from, to, true, 0, network.length(message), received);
        if (half >= 0) {
          close(actors[to], messages.slot(half), received);
        }
      }
      case PUT -> {
        if (windows.arrived(from, to) && actors[from].fencing == to) {
          SimulatedRank origin = actors[from];
          origin.fencing = -1;
          origin.now = Math.max(origin.now, at);
          tell(origin, (Step.Fence) origin.step);
          awaken(origin, at);
        }
      }
      case FENCE -> windows.fenced(from, to, epoch, received, this::awaken);
    }
  }

  private void close(SimulatedRank actor, int slot, double end) {
    if (actor.isAwoken(slot, end)) {
      awaken(actor, end);
    }
  }

  private boolean isPut(SimulatedRank actor, Step.Put put) {
    if (mayNotSend(actor)) {
      return false;
    }
    actor.messages++;
    actor.messageBytes += put.length();
    windows.started(actor.rank, put.target());
    int message = messages.create(Kind.PUT, 0, 0, 0);
    network.start(message, actor.rank, put.target(), put.length(), actor.now);
    return true;
  }

  /** Completes an epoch; the origin continues when its bytes have arrived. */
  private boolean isFenced(SimulatedRank actor, Step.Fence fence) {
    if (windows.haveAllArrived(actor.rank, fence.target())) {
      tell(actor, fence);
      return true;
    }
    actor.fencing = fence.target();
    return false;
  }

  private void tell(SimulatedRank actor, Step.Fence fence) {
    int message = messages.create(Kind.FENCE, 0, 0, fence.epoch());
    network.start(message, actor.rank, fence.target(), Long.BYTES, actor.now);
  }

  private boolean gather(SimulatedRank actor, int slot, long[][] told, Step.ReduceAll reduction) {
    actor.open(slot);
    SimulatedMeetings.Told all = meetings.begin(actor, slot, told, reduction);
    if (all != null) {
      for (SimulatedRank each : actors) {
        each.receive(all.slots()[each.rank], all.forRank(each.rank));
        close(each, all.slots()[each.rank], all.nanos());
      }
    }
    return true;
  }

  /** Returns whether a rank must wait for its processor before a request. */
  private boolean mayNotRequest(SimulatedRank actor) {
    double at = network.requestTime(actor.rank, actor.now);
    if (at > actor.now) {
      actor.turn = Turn.AGAIN;
      ready.set(actor.rank, at);
      return true;
    }
    actor.since = actor.now; // before, its processor took messages
    actor.turn = Turn.REQUEST;
    network.hold(actor.rank);
    return false;
  }

  private boolean isListed(SimulatedRank actor, Step.ListTransfer list) {
    if (mayNotRequest(actor)) {
      return false;
    }
    actor.count(1, list.file().totalBytes(), list.write());
    actor.requestsLeft = 0;
    storage.list(actor.rank, list.file(), list.write(), actor.now);
    return false;
  }

  private boolean isAnswered(SimulatedRank actor, ExtentRuns moved, boolean write) {
    if (moved.count() == 0) {
      return true;
    }
    if (mayNotRequest(actor)) {
      return false;
    }
    actor.count(moved.count(), moved.totalBytes(), write);
    actor.writes = write;
    if (moved.count() > SimulatedStorage.MAX_EXTENTS) {
      actor.requestsLeft = 0;
      storage.many(actor.rank, moved, write, actor.now);
      return false;
    }
    actor.requests = moved.cursor();
    actor.requestsLeft = moved.count();
    issue(actor);
    return false;
  }

  /** Makes one of the requests of a step; returns false if all have been made. */
  private boolean issue(SimulatedRank actor) {
    if (actor.requestsLeft == 0) {
      return false;
    }
    actor.requests.next();
    actor.requestsLeft--;
    storage.request(
        actor.rank, actor.requests.offset(), actor.requests.length(), actor.writes, actor.now);
    return true;
  }

  private void answered(int rank, double at) {
    ready.set(rank, actors[rank].requestsLeft == 0 ? tests.noticed(at) : at);
  }
}
