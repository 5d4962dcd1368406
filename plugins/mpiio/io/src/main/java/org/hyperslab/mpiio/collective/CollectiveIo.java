package org.hyperslab.mpiio.collective;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Reads and writes one file, collectively by all ranks of a communicator or independently by one
 * rank. Each rank has one object for each open file; it keeps buffers and measurements.
 *
 * <p>Extents and memory go together in packed order: the i-th byte of the extents is the i-th byte
 * of the memory. Ranks that write the same byte leave one of their values there. Bytes that are
 * read must exist: a read past the end of the file is a {@link
 * org.hyperslab.error.StorageException}.
 *
 * <p>Errors: a failure on one rank is thrown on every rank that takes part, with the failing rank
 * named. What was written until then is unspecified within the extents; nothing outside them has
 * changed.
 *
 * <p>Thread rule: one thread at a time, the communicator's. The communicator and the store stay
 * their owner's, and must not be used by others during a call.
 */
public final class CollectiveIo implements AutoCloseable {

  private static final long NO_VIEW = -1;

  private final Communicator comm;
  private final ByteStore store;
  private final Hints hints;
  private final FileSystemTraits fs;
  private final BufferPool pool;
  private final FileRangeLock lock;
  private RankGroup group;
  private DeclaredView[] views;
  private final TransferTags tags;
  private final NeighbourMemory neighbours = new NeighbourMemory();
  private String explanation = "nothing was transferred yet";

  private CollectiveIo(Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    this.comm = comm;
    this.store = store;
    this.hints = hints;
    this.fs = fs.with(hints);
    this.pool = new BufferPool(hints.buffering().bufferBytes());
    this.lock = lock(comm, store);
    this.tags = comm.remembered(TransferTags.class, TransferTags::new);
  }

  /** The ranks of an MPI job are processes; a table in this JVM cannot lock between them. */
  private static FileRangeLock lock(Communicator comm, ByteStore store) {
    return Worlds.mpi(comm).isPresent() && store instanceof FileStore file
        ? FileRangeLock.amongProcesses(file.path())
        : FileRangeLock.amongThreads(store.name());
  }

  /**
   * Makes the entry for a file that every rank of {@code comm} has open as {@code store}.
   *
   * @param comm the ranks
   * @param store the open file; stays its owner's
   * @param hints the hints for accesses to the file
   * @param fs what is known of the file system
   * @return the entry; to be closed by the caller
   */
  public static CollectiveIo open(
      Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    return new CollectiveIo(comm, store, hints, fs);
  }

  /**
   * {@return the same ranks in a communicator of their own, which knows where the ranks run and has
   * the schedules that were kept for them; to be closed by the caller} Called by every rank.
   *
   * @param comm the ranks; finds out where they run if that is not known yet
   */
  public static Communicator duplicate(Communicator comm) {
    Topology topology =
        comm.remembered(Topology.class, () -> new Wire(comm).topology(new NeighbourMemory()));
    ScheduleCache schedules = comm.remembered(ScheduleCache.class, ScheduleCache::new);
    Communicator copy = comm.duplicate();
    copy.remembered(Topology.class, () -> topology);
    copy.remembered(ScheduleCache.class, () -> schedules);
    return copy;
  }

  /**
   * {@return writes; called by every rank, with an empty list by those that have nothing}
   *
   * @param file where the bytes go
   * @param memory the memory, of equal length
   */
  public Outcome write(ExtentList file, MemoryExtents memory) {
    return run(new Wanted(true, NO_VIEW, () -> ExtentRuns.copyOf(file), memory));
  }

  /**
   * {@return reads; called by every rank, with an empty list by those that want nothing}
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   */
  public Outcome read(ExtentList file, MemoryExtents memory) {
    return run(new Wanted(false, NO_VIEW, () -> ExtentRuns.copyOf(file), memory));
  }

  /**
   * Finds out what is known of the ranks and the file system before any access; called by every
   * rank. The first collective access does so if this was not called; {@link #startWrite} and
   * {@link #startRead} need it, for it waits for all ranks.
   */
  public void prepare() {
    if (group == null) {
      Topology topology =
          comm.remembered(Topology.class, () -> new Wire(comm).topology(neighbours));
      FileSystemTraits saturated = learnSaturation();
      group = new RankGroup(topology, JobRanks.agreed(comm, hints, topology), saturated);
    }
  }

  /**
   * Starts what {@link #write} does. Called by every rank, in the same order as other collective
   * calls; the ranks need not meet, and several transfers may be under way.
   *
   * @param file where the bytes go
   * @param memory as many bytes; not to be changed until the transfer has ended
   * @param helpers the resources of the transfer
   * @return the transfer; nothing has been done yet
   */
  public StartedTransfer startWrite(
      ExtentList file, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    return start(new Wanted(true, NO_VIEW, () -> ExtentRuns.copyOf(file), memory), helpers);
  }

  /**
   * Starts what {@link #read} does; see {@link #startWrite}.
   *
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes; not to be touched until the transfer has ended
   * @param helpers the resources of the transfer
   * @return the transfer
   */
  public StartedTransfer startRead(
      ExtentList file, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    return start(new Wanted(false, NO_VIEW, () -> ExtentRuns.copyOf(file), memory), helpers);
  }

  /**
   * Declares what every rank will access by views: a pattern that repeats from {@code displacement}
   * on, each time {@code tileSpan} bytes further. Called by every rank. Calls by view need no lists
   * to be exchanged: an aggregator knows them all.
   *
   * @param displacement where the view begins, in bytes from the start of the file
   * @param tile the extents of one repetition, from its beginning
   * @param tileSpan bytes from one repetition to the next
   */
  public void declareView(long displacement, ExtentList tile, long tileSpan) {
    DeclaredView mine = new DeclaredView(displacement, ExtentRuns.copyOf(tile), tileSpan);
    byte[][] all = comm.allGatherBytes(PackedBytes.ofLongs(mine.encode()));
    views =
        Arrays.stream(all)
            .map(bytes -> DeclaredView.decode(PackedBytes.toLongs(bytes)))
            .toArray(DeclaredView[]::new);
  }

  /**
   * Writes to the declared view; called by every rank.
   *
   * @param from packed bytes of the rank's view before the first
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public Outcome writeView(long from, MemoryExtents memory) {
    return run(byView(true, from, memory));
  }

  /**
   * Reads from the declared view; called by every rank.
   *
   * @param from packed bytes of the view before the first
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public Outcome readView(long from, MemoryExtents memory) {
    return run(byView(false, from, memory));
  }

  private Wanted byView(boolean write, long from, MemoryExtents memory) {
    return new Wanted(write, from, () -> declared().slice(from, memory.totalBytes()), memory);
  }

  /**
   * Starts what {@link #writeView} does; see {@link #startWrite}.
   *
   * @param from packed bytes of the rank's view before the first
   * @param memory the memory, of equal length
   * @param helpers the resources of the transfer
   * @return the transfer
   */
  public StartedTransfer startWriteView(
      long from, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    return start(byView(true, from, memory), helpers);
  }

  /**
   * Starts what {@link #readView} does; see {@link #startWrite}.
   *
   * @param from packed bytes of the rank's view before the first
   * @param memory the memory, of equal length
   * @param helpers the resources of the transfer
   * @return the transfer
   */
  public StartedTransfer startReadView(
      long from, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    return start(byView(false, from, memory), helpers);
  }

  private DeclaredView declared() {
    if (views == null) {
      throw new InvalidUseException(
          "access by view: actual=no view, expected=a view declared by all ranks before");
    }
    return views[comm.rank()];
  }

  /**
   * What a caller wants, before it is known whether that can be.
   *
   * @param viewStart packed bytes of the view before the first; {@link #NO_VIEW} if not by view
   * @param extents finds the extents in the file
   */
  private record Wanted(
      boolean write, long viewStart, Supplier<ExtentRuns> extents, MemoryExtents memory) {}

  private Outcome run(Wanted wanted) {
    prepare();
    pool.resetPeak();
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveCourse course = course(wanted, peers, true);
    try {
      context(wanted.memory(), peers).run(course.first());
    } finally {
      course.withdraw();
      explanation = course.explanation() == null ? explanation : course.explanation();
    }
    return course.outcome(pool.peakBytes());
  }

  /** A rank with invalid extents takes part as well, and reports the problem. */
  private CollectiveCourse course(Wanted wanted, StepContext.Peers peers, boolean reachable) {
    HyperslabException problem;
    try {
      ExtentRuns file = wanted.extents().get();
      check(file, wanted.memory());
      CollectiveCourse.Access access =
          new CollectiveCourse.Access(
              wanted.write(), wanted.viewStart(), file, wanted.memory(), reachable);
      DeclaredView[] known = wanted.viewStart() >= 0 ? views : null;
      return new CollectiveCourse(comm, hints, group, known, access, peers, null);
    } catch (ArithmeticException overflow) {
      problem =
          new InvalidUseException(
              "transfer: actual=extents beyond byte 2^63 - 1, expected=extents that a file can"
                  + " have",
              overflow);
    } catch (HyperslabException unsound) {
      problem = unsound;
    }
    return failed(problem);
  }

  private CollectiveCourse failed(RuntimeException problem) {
    return new CollectiveCourse(
        comm,
        hints,
        group,
        null,
        CollectiveCourse.Access.none(),
        StepContext.Peers.none(comm.size(), neighbours),
        SharedFailure.typed(problem, "collective transfer"));
  }

  private StartedTransfer start(Wanted wanted, StartedTransfer.Helpers helpers) {
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveCourse course = course(wanted, peers, helpers.workers() != null);
    try {
      Schedule schedule =
          helpers.atomic() == null ? course.first() : course.separately(lockedOrNone(wanted));
      return started(course, schedule, wanted.memory(), peers, helpers);
    } catch (RuntimeException | Error failed) {
      course.withdraw();
      throw failed;
    }
  }

  /** Returns what this rank does in atomic mode: nothing if its course has noted a problem. */
  private Schedule lockedOrNone(Wanted wanted) {
    try {
      ExtentRuns file = wanted.extents().get();
      return locked(aloneSchedule(wanted.write(), file, wanted.memory()), file);
    } catch (HyperslabException | ArithmeticException noted) {
      return Schedule.empty("none", comm.rank());
    }
  }

  /** Returns the same transfer with a lock on all of its extents. */
  private Schedule locked(Schedule transfer, ExtentRuns file) {
    if (file.isEmpty()) {
      return transfer;
    }
    List<List<Step>> rounds = new ArrayList<>();
    rounds.add(List.of(new Step.Lock(Step.Guard.ATOMIC, file.first(), file.endExclusive())));
    rounds.addAll(transfer.rounds());
    rounds.add(List.of(new Step.Unlock(Step.Guard.ATOMIC)));
    return new Schedule(transfer.algorithm(), comm.rank(), rounds);
  }

  private StartedTransfer started(
      CollectiveCourse course,
      Schedule schedule,
      MemoryExtents memory,
      StepContext.Peers peers,
      StartedTransfer.Helpers helpers) {
    StepContext.Locks locks = new StepContext.Locks(lock(comm, store), helpers.atomic());
    StepContext context = new StepContext(comm, helpers.tag(), store, memory, peers, pool, locks);
    ProgressingDriver driver =
        new ProgressingDriver(context, schedule, helpers.workers(), helpers.changed());
    return new StartedTransfer(
        driver,
        ended -> {
          course.withdraw();
          locks.close();
          explanation = course.explanation() == null ? explanation : course.explanation();
          return ended == null ? course.outcome(pool.peakBytes()) : null;
        },
        course::allowanceNanos,
        course::tryWithdraw);
  }

  /**
   * Returns what a collective transfer needs that is going to be started. Asked for by every rank
   * in the order in which it makes collective calls: that decides which messages belong to the
   * transfer.
   *
   * @param workers carry out requests to the file; null if only the calling thread may touch the
   *     memory
   * @param changed told from a worker when it is worth asking the transfer again
   * @param atomic a lock for the whole access; null for none
   * @return what {@link #startWrite} and its kind take, for one transfer
   */
  public StartedTransfer.Helpers helpers(Executor workers, Runnable changed, FileRangeLock atomic) {
    return new StartedTransfer.Helpers(tags.next(), workers, changed, atomic);
  }

  /** Collective: if the hints ask for it, the saturation point of the file system. */
  private FileSystemTraits learnSaturation() {
    boolean wanted = hints.choice().saturation().equals("measured");
    long[] known = {wanted && store instanceof FileStore ? 1 : 0};
    if (wanted) {
      comm.allReduce(known, Reduction.MIN);
    }
    if (known[0] == 1) {
      Path folder = ((FileStore) store).path().toAbsolutePath().getParent();
      return fs.saturatedBy(SaturationPoint.ofThisMachine().agreed(comm, folder));
    }
    return fs;
  }

  /**
   * Takes part in the other ranks' collective read or write when this rank has failed already while
   * it prepared its part: nobody transfers anything, and all ranks get the error.
   *
   * @param problem the failure of this rank
   * @return never: the failure is thrown
   */
  public Outcome takePartFailed(RuntimeException problem) {
    prepare();
    CollectiveCourse course = failed(problem);
    try {
      StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
      context(MemoryExtents.none(), peers).run(course.first());
    } finally {
      course.withdraw();
    }
    return course.outcome(0);
  }

  /**
   * Starts to take part in the other ranks' transfer as {@link #takePartFailed} does.
   *
   * @param problem the failure of this rank
   * @param helpers the resources of the transfer
   * @return a transfer that ends with the failure
   */
  public StartedTransfer startFailed(RuntimeException problem, StartedTransfer.Helpers helpers) {
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveCourse course = failed(problem);
    Schedule schedule =
        helpers.atomic() == null
            ? course.first()
            : course.separately(Schedule.empty("none", comm.rank()));
    return started(course, schedule, MemoryExtents.none(), peers, helpers);
  }

  /**
   * Writes by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public Outcome writeAlone(ExtentList file, MemoryExtents memory) {
    return alone(true, file, memory);
  }

  /**
   * Reads by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public Outcome readAlone(ExtentList file, MemoryExtents memory) {
    return alone(false, file, memory);
  }

  private Outcome alone(boolean write, ExtentList file, MemoryExtents memory) {
    pool.resetPeak();
    Schedule schedule = aloneSchedule(write, file, memory);
    Schedule.Findings found =
        context(memory, StepContext.Peers.none(comm.size(), null)).run(schedule);
    return outcome(schedule, found);
  }

  private Outcome outcome(Schedule schedule, Schedule.Findings found) {
    if (found.failure() != null) {
      throw found.failure();
    }
    return new Outcome(schedule.algorithm(), found.tally(), found.tally(), pool.peakBytes());
  }

  private Schedule aloneSchedule(boolean write, ExtentList file, MemoryExtents memory) {
    ExtentRuns runs = ExtentRuns.copyOf(file);
    check(runs, memory);
    TransferRule rule = new TransferRule(hints, fs.costs());
    TransferRule.Chosen chosen = write ? rule.forWrite(runs) : rule.forRead(runs);
    explanation = "independent transfer " + chosen;
    return write
        ? chosen.transfer().write(comm.rank(), runs)
        : chosen.transfer().read(comm.rank(), runs);
  }

  /**
   * Starts a transfer by this rank alone.
   *
   * @param write whether the file is written
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes; not to be touched until the transfer has ended
   * @param helpers the resources of the transfer
   * @return the transfer; nothing has been done yet
   */
  public StartedTransfer startAlone(
      boolean write, ExtentList file, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    Schedule transfer = aloneSchedule(write, file, memory);
    Schedule schedule =
        helpers.atomic() == null ? transfer : locked(transfer, ExtentRuns.copyOf(file));
    StepContext.Locks locks = new StepContext.Locks(lock(comm, store), helpers.atomic());
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), null);
    StepContext context = new StepContext(comm, 0, store, memory, peers, pool, locks);
    ProgressingDriver driver =
        new ProgressingDriver(context, schedule, helpers.workers(), helpers.changed());
    return new StartedTransfer(
        driver,
        ended -> {
          locks.close();
          return ended == null ? outcome(schedule, driver.findings()) : null;
        },
        () -> 0,
        () -> TransferLane.Withdrawal.COMPLETE);
  }

  private StepContext context(MemoryExtents memory, StepContext.Peers peers) {
    StepContext.Locks locks = new StepContext.Locks(lock, null);
    return new StepContext(comm, StepContext.BLOCKING_TAG, store, memory, peers, pool, locks);
  }

  private static void check(ExtentRuns file, MemoryExtents memory) {
    if (file.totalBytes() != memory.totalBytes()) {
      throw new InvalidUseException(
          "transfer: actual="
              + memory.totalBytes()
              + " bytes of memory, expected="
              + file.totalBytes()
              + " bytes as in the file's extents");
    }
  }

  /** {@return which components the last call used, and why; for people} */
  public String explain() {
    return explanation;
  }

  /** Frees the buffers. The communicator and the store stay open. */
  @Override
  public void close() {
    pool.close();
    lock.close();
  }
}
