package org.hyperslab.mpiio.collective;

import java.nio.file.Path;
import java.util.Arrays;
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
import org.hyperslab.mpiio.comm.PeerBoard;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.Executor;
import org.hyperslab.mpiio.schedule.FileRangeLock;
import org.hyperslab.mpiio.schedule.NeighbourMemory;
import org.hyperslab.mpiio.schedule.RangeLock;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Tally;
import org.hyperslab.mpiio.transfer.TransferRule;

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
  private FileSystemTraits fs;
  private final BufferPool pool;
  private final RangeLock lock;
  private Topology topology;
  private JobRanks job;
  private DeclaredView[] views;
  private final NeighbourMemory neighbours = new NeighbourMemory();
  private String explanation = "nothing was transferred yet";

  private CollectiveIo(Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    this.comm = comm;
    this.store = store;
    this.hints = hints;
    this.fs = fs.with(hints);
    this.pool = new BufferPool(hints.buffering().bufferBytes());
    this.lock = lock(comm, store);
  }

  /** The ranks of an MPI job are processes; a table in this JVM cannot lock between them. */
  private static RangeLock lock(Communicator comm, ByteStore store) {
    return Worlds.mpi(comm).isPresent() && store instanceof FileStore file
        ? FileRangeLock.amongProcesses(file.path())
        : FileRangeLock.amongThreads(store.name());
  }

  /**
   * Makes the entry for a file that every rank of {@code comm} has open as {@code store}.
   *
   * @param comm the ranks
   * @param store the open file; stays its owner's
   * @param hints how the file is accessed
   * @param fs what is known of the file system
   * @return the entry; to be closed by the caller
   */
  public static CollectiveIo open(
      Communicator comm, ByteStore store, Hints hints, FileSystemTraits fs) {
    return new CollectiveIo(comm, store, hints, fs);
  }

  /**
   * {@return writes; called by every rank, with an empty list by those that have nothing}
   *
   * @param file where the bytes go
   * @param memory as many bytes
   */
  public Outcome write(ExtentList file, MemoryExtents memory) {
    return run(true, NO_VIEW, memory, () -> ExtentRuns.copyOf(file));
  }

  /**
   * {@return reads; called by every rank, with an empty list by those that want nothing}
   *
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes of memory
   */
  public Outcome read(ExtentList file, MemoryExtents memory) {
    return run(false, NO_VIEW, memory, () -> ExtentRuns.copyOf(file));
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
    long[][] all = new Wire(comm).allGather(mine.encode());
    views = Arrays.stream(all).map(DeclaredView::decode).toArray(DeclaredView[]::new);
  }

  /**
   * Writes to the declared view; called by every rank.
   *
   * @param from packed bytes of the rank's view before the first
   * @param memory as many bytes of memory
   * @return what was done
   */
  public Outcome writeView(long from, MemoryExtents memory) {
    return run(true, from, memory, () -> declared().slice(from, memory.totalBytes()));
  }

  /**
   * Reads from the declared view; called by every rank.
   *
   * @param from packed bytes of the view before the first
   * @param memory as many bytes of memory
   * @return what was done
   */
  public Outcome readView(long from, MemoryExtents memory) {
    return run(false, from, memory, () -> declared().slice(from, memory.totalBytes()));
  }

  private DeclaredView declared() {
    if (views == null) {
      throw new InvalidUseException(
          "access by view: actual=no view, expected=a view declared by all ranks before");
    }
    return views[comm.rank()];
  }

  /** A rank with invalid extents takes part as well, and reports the problem. */
  private Outcome run(
      boolean write, long viewStart, MemoryExtents memory, Supplier<ExtentRuns> extents) {
    ExtentRuns file;
    try {
      file = extents.get();
      check(file, memory);
    } catch (ArithmeticException overflow) {
      return takePartFailed(
          new InvalidUseException(
              "transfer: actual=extents beyond byte 2^63 - 1, expected=extents that a file can"
                  + " have",
              overflow));
    } catch (HyperslabException problem) {
      return takePartFailed(problem);
    }
    long ticket = PeerBoard.post(RankAccess.of(file, memory));
    try {
      AccessSummary[] all = meet(file, viewStart, memory, ticket, null);
      ExtentRuns[] lists = new ExtentRuns[comm.size()];
      lists[comm.rank()] = file;
      Problem.Setting setting = new Problem.Setting(hints, fs, new int[0], false);
      boolean contiguous = memory.count() <= 1;
      return run(
          new Problem(comm.rank(), write, all, lists, setting, contiguous), memory, viewStart >= 0);
    } finally {
      PeerBoard.withdraw(ticket);
    }
  }

  private Outcome run(Problem problem, MemoryExtents memory, boolean byView) {
    pool.resetPeak();
    CollectiveCall call = new CollectiveCall(comm, problem, topology, byView ? views : null, job);
    explanation = call.explain();
    Schedule schedule = call.schedule();
    if (job.assigns()) {
      explanation = call.explain(); // with the assignment
    }
    Executor executor = executor(memory, call.peers(memory, neighbours));
    Tally tally = executor.run(schedule);
    Tally all = total(tally, executor.failure());
    return new Outcome(call.algorithm(), tally, all, pool.peakBytes());
  }

  /**
   * Adds up what all ranks did. Every rank has finished its part when this returns.
   *
   * @param problem what failed on this rank; null if nothing did
   * @throws HyperslabException on every rank, if anything failed on any
   */
  private Tally total(Tally mine, RuntimeException problem) {
    long[] numbers = Arrays.copyOf(mine.toArray(), Tally.FIELDS + 1);
    numbers[Tally.FIELDS] = problem == null ? 0 : 1;
    comm.allReduce(numbers, Reduction.SUM);
    if (numbers[Tally.FIELDS] > 0) {
      throw SharedFailure.of(comm, typed(problem));
    }
    return Tally.of(numbers, 0);
  }

  private static HyperslabException typed(RuntimeException problem) {
    return problem == null ? null : SharedFailure.typed(problem, "collective transfer");
  }

  /**
   * The first exchange of a collective.
   *
   * @param problem why this rank cannot take part; null if it can
   * @throws HyperslabException on every rank, if any has a problem
   */
  private AccessSummary[] meet(
      ExtentRuns file,
      long viewStart,
      MemoryExtents memory,
      long ticket,
      RuntimeException problem) {
    if (topology == null) {
      topology = comm.remembered(Topology.class, () -> new Wire(comm).topology(neighbours));
      learnSaturation();
    }
    if (job == null) {
      job = JobRanks.agreed(comm, hints, topology);
    }
    AccessSummary.Circumstances mine =
        new AccessSummary.Circumstances(
            PeerBoard.process(),
            ticket,
            isPlain(memory) ? 1 : 0,
            problem == null ? 0 : 1,
            isPlain(memory) && memory.totalBytes() > 0 ? memory.slice(0, 1).address() : 0,
            (long) new TransferRule(hints, fs.costs()).readNanos(file));
    AccessSummary[] all = new Wire(comm).summaries(AccessSummary.of(file, viewStart, mine));
    if (Arrays.stream(all).anyMatch(summary -> summary.circumstances().problem() != 0)) {
      throw SharedFailure.of(comm, typed(problem));
    }
    return all;
  }

  /** Collective: if the hints ask for it, the saturation point of the file system. */
  private void learnSaturation() {
    boolean wanted = hints.choice().saturation().equals("measured");
    long[] known = {wanted && store instanceof FileStore ? 1 : 0};
    if (wanted) {
      comm.allReduce(known, Reduction.MIN);
    }
    if (known[0] == 1) {
      Path folder = ((FileStore) store).path().toAbsolutePath().getParent();
      fs = fs.saturatedBy(SaturationPoint.ofThisMachine().agreed(comm, folder));
    }
  }

  /**
   * Takes part in the other ranks' collective read or write when this rank has failed already while
   * it prepared its part: nobody transfers anything, and all ranks get the error.
   *
   * @param problem what this rank failed with
   * @return never: the failure is thrown
   */
  public Outcome takePartFailed(RuntimeException problem) {
    meet(ExtentRuns.empty(), NO_VIEW, MemoryExtents.none(), 0, problem);
    throw problem;
  }

  /**
   * Writes by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes of memory
   * @return what was done
   */
  public Outcome writeAlone(ExtentList file, MemoryExtents memory) {
    return alone(true, file, memory);
  }

  /**
   * Reads by this rank alone.
   *
   * @param file the extents, ascending and disjoint
   * @param memory as many bytes of memory
   * @return what was done
   */
  public Outcome readAlone(ExtentList file, MemoryExtents memory) {
    return alone(false, file, memory);
  }

  private Outcome alone(boolean write, ExtentList file, MemoryExtents memory) {
    ExtentRuns runs = ExtentRuns.copyOf(file);
    check(runs, memory);
    pool.resetPeak();
    TransferRule rule = new TransferRule(hints, fs.costs());
    TransferRule.Chosen chosen = write ? rule.forWrite(runs) : rule.forRead(runs);
    explanation = "independent transfer " + chosen;
    Schedule schedule =
        write
            ? chosen.transfer().write(comm.rank(), runs)
            : chosen.transfer().read(comm.rank(), runs);
    Executor executor = executor(memory, Executor.Peers.none(comm.size()));
    Tally tally = executor.run(schedule);
    if (executor.failure() != null) {
      throw executor.failure();
    }
    return new Outcome(schedule.algorithm(), tally, tally, pool.peakBytes());
  }

  private Executor executor(MemoryExtents memory, Executor.Peers peers) {
    return new Executor(new Executor.Context(comm, store, memory, peers, pool, lock));
  }

  private static boolean isPlain(MemoryExtents memory) {
    return memory.count() == 0 || (memory.count() == 1 && memory.base().isNative());
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
    neighbours.close();
  }
}
