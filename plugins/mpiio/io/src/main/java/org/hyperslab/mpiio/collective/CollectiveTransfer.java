package org.hyperslab.mpiio.collective;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.plan.CollectiveInput;
import org.hyperslab.mpiio.plan.DeclaredView;
import org.hyperslab.mpiio.plan.SievingRule;
import org.hyperslab.mpiio.plan.TransferRule;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.schedule.StepCounts;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.transfer.PackedBytes;

/**
 * One collective transfer of a rank from the first exchange to the last agreement, as a chain of
 * schedules. These are the exchange of the ranks' accesses, the exchanges that the algorithm needs,
 * the transfer, and the agreement on success. The driver of the schedules decides whether the rank
 * waits.
 *
 * <p>Thread rule: one thread at a time.
 */
final class CollectiveTransfer {

  private static final long PAUSE_NANOS = 50_000;

  private static final long SLOW_BYTES_PER_SECOND = 10_000_000;

  /** The slot of exchanges here; those of algorithms count from 0. */
  private static final int SLOT = -1;

  /** The index after the summary of the kept schedules, each with its distance. */
  private static final int NUMBERS = AccessSummary.LONGS;

  /** The index of a random number. */
  private static final int RANDOM = NUMBERS + 2 * ScheduleCache.MOST;

  private final Communicator comm;
  private final Hints hints;
  private final RankGroup group;
  private final DeclaredView[] views;
  private final Access access;
  private final StepContext.Peers peers;
  private final RankAccess offered;
  private final long ticket;

  /** Whether other processes may reach into this rank's memory. */
  private boolean reachedByNeighbours;

  /** Whether exchanges of the plan have a limit. */
  private boolean limited;

  private final ScheduleCache cache;
  private List<ScheduleCache.Kept> kept = List.of();
  private String explanation;
  private CollectiveCall call;
  private String algorithm;
  private long rounds;
  private long bytes;
  private StepCounts mine = StepCounts.NONE;
  private StepCounts all = StepCounts.NONE;
  private HyperslabException problem;

  /**
   * The access of a rank.
   *
   * @param write whether the file is written
   * @param viewStart the packed position of the first byte in the declared view; -1 if not by view
   * @param file the extents
   * @param memory the memory, of equal length
   * @param reachable whether other threads of the process may touch the memory meanwhile
   * @param overlapped whether other accesses to the file may be in progress meanwhile
   */
  record Access(
      boolean write,
      long viewStart,
      ExtentRuns file,
      MemoryExtents memory,
      boolean reachable,
      boolean overlapped) {

    static Access none() {
      return new Access(false, -1, ExtentRuns.empty(), MemoryExtents.none(), true, false);
    }
  }

  /**
   * Creates a transfer that has not started.
   *
   * @param views the views that ranks have declared; null if the access is not by view
   * @param peers receives the memory of other ranks
   * @param problem the failure that keeps this rank from taking part; null if there is none
   */
  CollectiveTransfer(
      Communicator comm,
      Hints hints,
      RankGroup group,
      DeclaredView[] views,
      Access access,
      StepContext.Peers peers,
      HyperslabException problem) {
    boolean keeps = views == null && hints.keepsSchedules();
    this.cache = keeps ? comm.remembered(ScheduleCache.class, ScheduleCache::new) : null;
    this.comm = comm;
    this.hints = hints;
    this.group = group;
    this.views = views;
    this.access = access;
    this.peers = peers;
    this.problem = problem;
    this.offered = access.reachable() ? RankAccess.of(access.file(), access.memory()) : null;
    this.ticket = offered == null ? 0 : SharedObjects.post(offered);
  }

  /**
   * Limits the time for which exchanges before the transfer wait for other ranks, which have begun
   * it and access no file meanwhile. For a driver that makes exchanges by the communicator's
   * collective calls.
   */
  void limitPlanning() {
    limited = true;
  }

  /** Sets the limit of the next exchange. */
  private void limit() {
    if (limited) {
      comm.limit(hints.deadlineNanos());
    }
  }

  /**
   * Returns the first schedule, in which all ranks agree to repeat an earlier access, or exchange
   * their accesses. All ranks choose alike, whatever they have cached.
   */
  Schedule first() {
    kept = cache == null ? List.of() : cache.find(key(), access.file());
    boolean byView = hints.choice().collective().equals("view");
    if (!hints.keepsSchedules() || byView || group.mayShareMemory(hints)) {
      return summaries();
    }
    long[] offers = ScheduleCache.Offers.of(problem == null ? kept : List.of(), access.file());
    return agreeing(new Step.ReduceAll(offers, Reduction.MIN, SLOT)).then(this::offered);
  }

  private Schedule offered(Schedule.Findings found) {
    long[] least = found.received(SLOT)[0];
    int at = ScheduleCache.Offers.agreed(least, unit());
    return at < 0 ? summaries() : again(least[at], new AccessSummary[0], least[at + 2]);
  }

  /** Returns the schedule in which all ranks exchange their accesses. */
  private Schedule summaries() {
    MemoryExtents memory = access.memory();
    AccessSummary.Circumstances here =
        new AccessSummary.Circumstances(
            access.reachable() ? SharedObjects.process() : 0,
            ticket,
            isPlain(memory) ? 1 : 0,
            problem == null ? 0 : 1,
            isPlain(memory) && memory.totalBytes() > 0 ? memory.slice(0, 1).address() : 0,
            (long) new TransferRule(hints, group.fs().costs()).readNanos(access.file()));
    AccessSummary summary = AccessSummary.of(access.file(), access.viewStart(), here);
    long[] told = Arrays.copyOf(summary.toArray(), RANDOM + 1);
    for (int i = 0; i < kept.size(); i++) {
      told[NUMBERS + 2 * i] = kept.get(i).number();
      told[NUMBERS + 2 * i + 1] = access.file().first() - kept.get(i).list().first();
    }
    told[RANDOM] = ThreadLocalRandom.current().nextLong();
    limit();
    return agreeing(new Step.GatherAll(told, true, SLOT)).then(this::planned);
  }

  private ScheduleCache.Key key() {
    MemoryExtents memory = access.memory();
    return new ScheduleCache.Key(
        access.write(),
        access.reachable(),
        access.overlapped(),
        isPlain(memory),
        memory.count() <= 1,
        hints,
        group.fs());
  }

  private static boolean isPlain(MemoryExtents memory) {
    return memory.count() == 0 || (memory.count() == 1 && memory.base().isNative());
  }

  private Schedule agreeing(Step step) {
    return new Schedule("agreement", comm.rank(), List.of(List.of(step, new Step.Await(SLOT))));
  }

  private Schedule planned(Schedule.Findings found) {
    AccessSummary[] summaries =
        Stream.of(found.received(SLOT))
            .map(numbers -> AccessSummary.of(numbers, 0))
            .toArray(AccessSummary[]::new);
    if (Arrays.stream(summaries).anyMatch(summary -> summary.circumstances().problem() != 0)) {
      return failing();
    }
    bytes = Arrays.stream(summaries).mapToLong(AccessSummary::bytes).sum();
    long[][] told = found.received(SLOT);
    for (int at = NUMBERS; at < RANDOM && told[0][at] != 0; at += 2) { // in one order on all ranks
      OptionalLong distance = distance(told[0][at], told, summaries);
      if (distance.isPresent()) {
        return again(told[0][at], summaries, distance.getAsLong());
      }
    }
    ExtentRuns[] lists = new ExtentRuns[comm.size()];
    lists[comm.rank()] = access.file();
    peers.memory()[comm.rank()] = access.memory();
    CollectiveInput.Setting setting =
        new CollectiveInput.Setting(hints, group.fs(), new int[0], false, access.overlapped());
    CollectiveInput wanted =
        new CollectiveInput(
            comm.rank(), access.write(), summaries, lists, setting, access.memory().count() <= 1);
    call = new CollectiveCall(comm, wanted, group, views, peers, this::limit);
    reachedByNeighbours = !call.reach().processes().isEmpty();
    explanation = call.explain();
    algorithm = call.algorithm();
    return call.schedule(chosen -> {
      Schedule transfer = guarded(chosen);
      explanation = call.explain(); // with the assignment
      if (cache != null) {
        long number = ScheduleCache.number(found.received(SLOT));
        cache.keep(
            new ScheduleCache.Kept(
                number,
                key(),
                access.file(),
                transfer,
                algorithm,
                explanation,
                call.reach(),
                bytes));
      }
      rounds = transfer.rounds().size();
      return transfer.then(this::transferred);
    });
  }

  /**
   * Returns a schedule whose writes keep away from concurrent accesses that write holes back, which
   * the hints may permit.
   */
  private Schedule guarded(Schedule transfer) {
    return access.write() && access.overlapped() && SievingRule.locksWrites(hints)
        ? transfer.withWritesLocked()
        : transfer;
  }

  /**
   * Returns the distance of all extents from those of an earlier planned access; empty unless all
   * ranks name that access with one distance. Stripes must begin at the same places.
   */
  private OptionalLong distance(long number, long[][] told, AccessSummary[] summaries) {
    OptionalLong distance = OptionalLong.empty();
    for (int rank = 0; rank < told.length; rank++) {
      int at = NUMBERS;
      while (at < RANDOM && told[rank][at] != number) {
        at += 2;
      }
      if (at == RANDOM) {
        return OptionalLong.empty();
      }
      if (!summaries[rank].isEmpty()) {
        if (distance.isPresent() && distance.getAsLong() != told[rank][at + 1]) {
          return OptionalLong.empty();
        }
        distance = OptionalLong.of(told[rank][at + 1]);
      }
    }
    return distance.isPresent() && distance.getAsLong() % unit() != 0
        ? OptionalLong.empty()
        : distance;
  }

  /** Returns the unit of which the distance of a repeated access must be a multiple. */
  private long unit() {
    FileSystemTraits fs = group.fs();
    return fs.isStriped() ? fs.stripeBytes() * fs.stripes() : 1;
  }

  /**
   * Returns the earlier schedule for another place of the file.
   *
   * @param summaries the accesses of all ranks; none if no rank's memory is reached
   */
  private Schedule again(long number, AccessSummary[] summaries, long distance) {
    ScheduleCache.Kept before =
        kept.stream().filter(each -> each.number() == number).findFirst().orElseThrow();
    peers.memory()[comm.rank()] = access.memory();
    bytes = before.bytes();
    before.reach().put(summaries, comm.rank(), peers);
    reachedByNeighbours = !before.reach().processes().isEmpty();
    algorithm = before.algorithm();
    explanation = before.explanation() + "\n  schedule: kept, " + distance + " bytes further on";
    Schedule transfer = before.schedule().moved(distance);
    rounds = transfer.rounds().size();
    return transfer.then(this::transferred);
  }

  /**
   * Returns a schedule to use instead of {@link #first}: each rank transfers by itself, then all
   * agree.
   */
  Schedule separately(Schedule transfer) {
    algorithm = transfer.algorithm();
    rounds = transfer.rounds().size();
    return transfer.then(this::transferred);
  }

  /**
   * Returns the schedule in which ranks add up their counts. Every rank has finished its part after
   * it.
   */
  private Schedule transferred(Schedule.Findings found) {
    RuntimeException failure = found.failure();
    problem = failure == null ? problem : SharedFailure.typed(failure, "collective transfer");
    mine = found.tally().ofRounds(rounds);
    long[] numbers = Arrays.copyOf(mine.toArray(), StepCounts.FIELDS + 1);
    numbers[StepCounts.FIELDS] = problem == null ? 0 : 1;
    return agreeing(new Step.ReduceAll(numbers, Reduction.SUM, SLOT)).then(this::agreed);
  }

  private Schedule agreed(Schedule.Findings found) {
    long[] numbers = found.received(SLOT)[0];
    if (numbers[StepCounts.FIELDS] > 0) {
      return failing();
    }
    all = StepCounts.of(numbers, 0);
    return null;
  }

  /** Returns the schedule in which ranks exchange their failures. */
  private Schedule failing() {
    byte[] told = problem == null ? new byte[0] : SharedFailure.encode(problem);
    return agreeing(new Step.GatherAll(PackedBytes.pack(told), false, SLOT))
        .then(found -> {
          byte[][] texts =
              Stream.of(found.received(SLOT)).map(PackedBytes::unpack).toArray(byte[][]::new);
          problem = SharedFailure.of(texts, comm.rank(), problem);
          return null;
        });
  }

  /** Describes the chosen components and the reasons; null until they are chosen. */
  String explanation() {
    return explanation;
  }

  /**
   * Returns the outcome; to be called once the schedules have ended.
   *
   * @throws HyperslabException on every rank, if anything failed on any
   */
  CollectiveOutcome outcome(long peakBytes) {
    if (problem != null) {
      throw problem;
    }
    if (algorithm == null) {
      throw new MpiException(
          "collective transfer", comm.rank(), MpiException.NO_CODE, "ended before it was planned");
    }
    return new CollectiveOutcome(algorithm, mine, all, peakBytes);
  }

  /**
   * Returns the time that a slow file system may need for all ranks' bytes, during which an idle
   * rank receives no message; 0 until all ranks have begun.
   */
  long allowanceNanos() {
    return (long) Math.min((double) bytes / SLOW_BYTES_PER_SECOND * 1e9, Long.MAX_VALUE >> 8);
  }

  /** Stops accesses of other ranks of this process to the memory; waits for a step in progress. */
  void withdraw() {
    while (tryWithdraw() == TransferLane.Withdrawal.BUSY) {
      comm.ticker().parkNanos(this, PAUSE_NANOS);
    }
  }

  /** Stops new accesses of other ranks of this process to the memory; does not wait. */
  TransferLane.Withdrawal tryWithdraw() {
    if (offered != null) {
      SharedObjects.withdraw(ticket);
      if (!offered.gate().close()) {
        return TransferLane.Withdrawal.BUSY;
      }
    }
    return reachedByNeighbours
        ? TransferLane.Withdrawal.UNCERTAIN
        : TransferLane.Withdrawal.COMPLETE;
  }
}
