package org.hyperslab.mpiio.collective;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.driver.CrossMemoryAttach;
import org.hyperslab.mpiio.driver.ProgressingDriver;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.plan.DeclaredView;
import org.hyperslab.mpiio.plan.RankSchedules;
import org.hyperslab.mpiio.plan.Topology;
import org.hyperslab.mpiio.plan.TransferRule;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.SaturationPoint;
import org.hyperslab.mpiio.transfer.PackedBytes;

/**
 * Reads and writes one file, collectively by all ranks of a communicator or independently by one
 * rank. Each rank has one object for each open file; it keeps buffers and measurements.
 *
 * <p>Extents and memory correspond in packed order: the i-th byte of the extents is the i-th byte
 * of the memory. If several ranks write the same byte, one of their values remains. Bytes that are
 * read must exist: a read past the end of the file is a {@link
 * org.hyperslab.error.StorageException}.
 *
 * <p>Errors: a failure on one rank is thrown on every rank that takes part, with the failing rank
 * named. The content of the extents is then unspecified after a write; nothing outside them has
 * changed.
 *
 * <p>Thread rule: one thread at a time, the communicator's. The caller still owns the communicator
 * and the store, and must not use them elsewhere during a call.
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
  private final CrossMemoryAttach neighbours = new CrossMemoryAttach();
  private String explanation = "nothing was transferred yet";

  private CollectiveIo(Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    this.comm = comm;
    this.store = store;
    this.hints = hints;
    this.fs = fs.with(hints);
    this.pool = new BufferPool(hints.buffering().bufferBytes());
    this.lock = lock();
    this.tags = comm.remembered(TransferTags.class, TransferTags::new);
  }

  /** The ranks of an MPI job are processes; a table in this JVM cannot lock between them. */
  private FileRangeLock lock() {
    FileRangeLock ranges =
        Worlds.mpi(comm).isPresent() && store instanceof FileStore file
            ? FileRangeLock.amongProcesses(file.path())
            : FileRangeLock.amongThreads(store.name());
    return ranges.limited(FileRangeLock.Limit.of(comm, hints));
  }

  /**
   * Creates the access to a file that every rank of {@code comm} has open as {@code store}.
   *
   * @param comm the ranks
   * @param store the open file, which the caller still owns
   * @param hints the hints for accesses to the file
   * @param fs the traits of the file system
   * @return the access, to be closed by the caller
   */
  public static CollectiveIo open(
      Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    Request.testGivenUp();
    if (store instanceof FileStore file) {
      file.startRequestsInKernel(hints.startsRequestsInKernel());
    }
    return new CollectiveIo(comm, store, hints, fs);
  }

  /**
   * {@return what executes the requests of started accesses to a store, for display}
   *
   * @param store the store, after {@link #open}
   * @param hints the hints for accesses
   */
  public static String describeRequests(ByteStore store, Hints hints) {
    if (!hints.startsRequestsInKernel()) {
      return "by threads";
    }
    boolean kernel = store instanceof FileStore file && file.startsRequestsInKernel();
    return kernel ? "by the kernel (io_uring)" : "by threads, as io_uring is not available";
  }

  /**
   * {@return a duplicate of a communicator that shares its topology and kept schedules; to be
   * closed by the caller} Called by every rank.
   *
   * @param comm the ranks; determines their topology if it is not known yet
   * @param limitNanos how long each call waits for other ranks, as {@link Communicator#limit}
   */
  public static Communicator duplicate(Communicator comm, long limitNanos) {
    Topology topology =
        comm.remembered(
            Topology.class,
            () -> new TopologyDetection(comm, limitNanos).topology(new CrossMemoryAttach()));
    ScheduleCache schedules = comm.remembered(ScheduleCache.class, ScheduleCache::new);
    comm.limit(limitNanos);
    Communicator copy = comm.duplicate();
    copy.remembered(Topology.class, () -> topology);
    copy.remembered(ScheduleCache.class, () -> schedules);
    return copy;
  }

  /**
   * Writes; called by every rank, with an empty list by ranks without data.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public CollectiveOutcome write(ExtentList file, MemoryExtents memory) {
    return run(new Wanted(true, NO_VIEW, () -> ExtentRuns.copyOf(file), memory));
  }

  /**
   * Reads; called by every rank, with an empty list by ranks without data.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public CollectiveOutcome read(ExtentList file, MemoryExtents memory) {
    return run(new Wanted(false, NO_VIEW, () -> ExtentRuns.copyOf(file), memory));
  }

  /**
   * Gathers information about the ranks and the file system before any access; called by every
   * rank. The first collective access does so if this was not called. {@link #startWrite} and
   * {@link #startRead} require it, because it waits for all ranks.
   */
  public void prepare() {
    if (group == null) {
      Topology topology =
          comm.remembered(
              Topology.class, () -> new TopologyDetection(comm, 0).topology(neighbours));
      FileSystemTraits saturated = learnSaturation();
      group = new RankGroup(topology, DomainAssignments.agreed(comm, hints, topology), saturated);
    }
  }

  /**
   * Moves the extents of a collective write to the order of file domains, as {@link
   * RankSchedules#byDomain} does; by one rank alone, after {@link #prepare}.
   *
   * @param lists the extents of each rank
   * @return the moved extents of each rank
   */
  public List<ExtentRuns> byDomain(List<ExtentRuns> lists) {
    return new RankSchedules(true, hints, group.fs(), group.topology(), null).byDomain(lists);
  }

  /**
   * Assigns parts of the file to ranks by the rule of {@code hyperslab_assignment}; called by every
   * rank.
   *
   * @param shares for each rank alternating parts, ascending, and the bytes that it has of them
   * @param parts the number of parts, at most as many as ranks
   * @return the rank of each part; empty if the hints name no rule
   */
  public Optional<int[]> rankOfParts(long[][] shares, int parts) {
    prepare();
    return group.domains().assigns()
        ? Optional.of(group.domains().rankOfDomains(comm, shares, parts))
        : Optional.empty();
  }

  /**
   * Starts a write like {@link #write}. Called by every rank, in the same order as other collective
   * calls; the ranks need not meet, and several transfers may be in progress.
   *
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes; not to be changed until the transfer has ended
   * @param helpers the resources of the transfer
   * @return the transfer; nothing has been done yet
   */
  public StartedTransfer startWrite(
      ExtentList file, MemoryExtents memory, StartedTransfer.Helpers helpers) {
    return start(new Wanted(true, NO_VIEW, () -> ExtentRuns.copyOf(file), memory), helpers);
  }

  /**
   * Starts a read like {@link #read}; see {@link #startWrite}.
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
   * Declares the view of every rank: a pattern that repeats from {@code displacement} on, every
   * {@code tileSpan} bytes. Called by every rank. Accesses by view need no exchange of lists,
   * because every aggregator knows all views.
   *
   * @param displacement the start of the view, in bytes from the start of the file
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
  public CollectiveOutcome writeView(long from, MemoryExtents memory) {
    return run(byView(true, from, memory));
  }

  /**
   * Reads from the declared view; called by every rank.
   *
   * @param from packed bytes of the view before the first
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public CollectiveOutcome readView(long from, MemoryExtents memory) {
    return run(byView(false, from, memory));
  }

  private Wanted byView(boolean write, long from, MemoryExtents memory) {
    return new Wanted(write, from, () -> declared().slice(from, memory.totalBytes()), memory);
  }

  /**
   * Starts a write like {@link #writeView}; see {@link #startWrite}.
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
   * Starts a read like {@link #readView}; see {@link #startWrite}.
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
   * The access that a caller requests, before it is checked.
   *
   * @param viewStart packed bytes of the view before the first; {@link #NO_VIEW} if not by view
   * @param extents computes the extents in the file
   */
  private record Wanted(
      boolean write, long viewStart, Supplier<ExtentRuns> extents, MemoryExtents memory) {}

  private CollectiveOutcome run(Wanted wanted) {
    prepare();
    pool.resetPeak();
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveTransfer transfer = transfer(wanted, peers, true, false);
    transfer.limitPlanning();
    try {
      context(wanted.memory(), peers).run(transfer.first());
    } catch (RuntimeException | Error failed) {
      throw SharedFailure.typed(failed, "collective transfer");
    } finally {
      transfer.withdraw();
      explanation = transfer.explanation() == null ? explanation : transfer.explanation();
    }
    return transfer.outcome(pool.peakBytes());
  }

  /**
   * Creates the transfer of an access. A rank with invalid extents takes part too, and reports the
   * problem.
   */
  private CollectiveTransfer transfer(
      Wanted wanted, StepContext.Peers peers, boolean reachable, boolean overlapped) {
    HyperslabException problem;
    try {
      ExtentRuns file = wanted.extents().get();
      check(file, wanted.memory());
      CollectiveTransfer.Access access =
          new CollectiveTransfer.Access(
              wanted.write(), wanted.viewStart(), file, wanted.memory(), reachable, overlapped);
      DeclaredView[] known = wanted.viewStart() >= 0 ? views : null;
      return new CollectiveTransfer(comm, hints, group, known, access, peers, null);
    } catch (ArithmeticException overflow) {
      problem =
          new InvalidUseException(
              "transfer: actual=extents beyond byte 2^63 - 1, expected=extents that a file can"
                  + " have",
              overflow);
    } catch (RuntimeException | Error unsound) { // the other ranks wait for this one
      problem = SharedFailure.typed(unsound, "collective transfer");
    }
    return failed(problem);
  }

  private CollectiveTransfer failed(RuntimeException problem) {
    return new CollectiveTransfer(
        comm,
        hints,
        group,
        null,
        CollectiveTransfer.Access.none(),
        StepContext.Peers.none(comm.size(), neighbours),
        SharedFailure.typed(problem, "collective transfer"));
  }

  private StartedTransfer start(Wanted wanted, StartedTransfer.Helpers helpers) {
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveTransfer transfer = transfer(wanted, peers, helpers.workers() != null, true);
    try {
      Schedule schedule =
          helpers.atomic() == null ? transfer.first() : transfer.separately(lockedOrNone(wanted));
      return started(transfer, schedule, wanted.memory(), peers, helpers);
    } catch (RuntimeException | Error failed) {
      transfer.withdraw();
      throw failed;
    }
  }

  /** Returns this rank's schedule in atomic mode, which is empty if its transfer has a problem. */
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
      CollectiveTransfer transfer,
      Schedule schedule,
      MemoryExtents memory,
      StepContext.Peers peers,
      StartedTransfer.Helpers helpers) {
    StepContext.Locks locks = new StepContext.Locks(lock(), helpers.atomic());
    StepContext context = new StepContext(comm, helpers.tag(), store, memory, peers, pool, locks);
    ProgressingDriver driver =
        new ProgressingDriver(context, schedule, helpers.workers(), helpers.changed());
    return new StartedTransfer(
        driver,
        ended -> {
          transfer.withdraw();
          locks.close();
          explanation = transfer.explanation() == null ? explanation : transfer.explanation();
          return ended == null ? transfer.outcome(pool.peakBytes()) : null;
        },
        transfer::allowanceNanos,
        transfer::tryWithdraw);
  }

  /**
   * Returns the resources of a collective transfer to be started. Every rank must call this in the
   * order of its collective calls, which determines the tag of the transfer's messages.
   *
   * @param workers execute requests to the file on other threads than the rank's, because they may
   *     wait for locks; null if only the calling thread may touch the memory
   * @param changed called from a worker when the transfer can make progress
   * @param atomic a lock for the whole access; null for none
   * @return the resources of one transfer
   */
  public StartedTransfer.Helpers helpers(Executor workers, Runnable changed, FileRangeLock atomic) {
    return new StartedTransfer.Helpers(tags.next(), workers, changed, atomic);
  }

  /** Returns the traits with the measured saturation point, if the hints request it; collective. */
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
   * Takes part in the other ranks' collective read or write after this rank has failed to prepare
   * its part: no rank transfers anything, and all ranks get the error.
   *
   * @param problem the failure of this rank
   * @return nothing; the failure is always thrown
   */
  public CollectiveOutcome takePartFailed(RuntimeException problem) {
    prepare();
    CollectiveTransfer transfer = failed(problem);
    transfer.limitPlanning();
    try {
      StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
      context(MemoryExtents.none(), peers).run(transfer.first());
    } finally {
      transfer.withdraw();
    }
    return transfer.outcome(0);
  }

  /**
   * Starts to take part in the other ranks' transfer, like {@link #takePartFailed}.
   *
   * @param problem the failure of this rank
   * @param helpers the resources of the transfer
   * @return a transfer that ends with the failure
   */
  public StartedTransfer startFailed(RuntimeException problem, StartedTransfer.Helpers helpers) {
    StepContext.Peers peers = StepContext.Peers.none(comm.size(), neighbours);
    CollectiveTransfer transfer = failed(problem);
    Schedule schedule =
        helpers.atomic() == null
            ? transfer.first()
            : transfer.separately(Schedule.empty("none", comm.rank()));
    return started(transfer, schedule, MemoryExtents.none(), peers, helpers);
  }

  /**
   * Writes by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public CollectiveOutcome writeAlone(ExtentList file, MemoryExtents memory) {
    return alone(true, file, memory);
  }

  /**
   * Reads by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory the memory, of equal length
   * @return the outcome, with exact counts
   */
  public CollectiveOutcome readAlone(ExtentList file, MemoryExtents memory) {
    return alone(false, file, memory);
  }

  private CollectiveOutcome alone(boolean write, ExtentList file, MemoryExtents memory) {
    pool.resetPeak();
    Schedule schedule = aloneSchedule(write, file, memory);
    Schedule.Findings found =
        context(memory, StepContext.Peers.none(comm.size(), null)).run(schedule);
    return outcome(schedule, found);
  }

  private CollectiveOutcome outcome(Schedule schedule, Schedule.Findings found) {
    if (found.failure() != null) {
      throw found.failure();
    }
    return new CollectiveOutcome(
        schedule.algorithm(), found.tally(), found.tally(), pool.peakBytes());
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
    StepContext.Locks locks = new StepContext.Locks(lock(), helpers.atomic());
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

  /**
   * {@return a description for display of the components that the last call used, with the reasons}
   */
  public String explain() {
    return explanation;
  }

  /**
   * Frees the buffers; those that messages may still access when these have ended. The communicator
   * and the store stay open.
   */
  @Override
  public void close() {
    Request.testGivenUp();
    pool.close();
    lock.close();
  }
}
