package org.hyperslab.mpiio.put;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.driver.ProgressingDriver;
import org.hyperslab.mpiio.driver.StepContext;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;

/**
 * Collects bytes of many ranks by puts into the windows of some, round by round. While an owner
 * writes what has come in a round, the bytes of the next one come into another part of its window.
 * A round is an epoch of the window. What ranks do are schedules; this class makes and drives them.
 *
 * <p>Thread rule: one thread, the communicator's; requests to the file are carried out by others.
 */
public final class PutRounds {

  private final Communicator comm;
  private final int tag;
  private final ByteStore store;
  private final PutWindow window;

  /**
   * Creates the rounds of a window.
   *
   * @param comm the ranks
   * @param tag a tag that no other exchange between these ranks uses
   * @param store the file
   * @param window the window, still owned by the caller
   */
  public PutRounds(Communicator comm, int tag, ByteStore store, PutWindow window) {
    this.comm = comm;
    this.tag = tag;
    this.store = store;
    this.window = window;
  }

  /**
   * Bytes for one target.
   *
   * @param target the owner of the window
   * @param exposed the epoch for which the window must be exposed before; -1 for none
   * @param from the offset of the first byte in the rank's memory
   * @param at the offset of the first byte in the window
   * @param length the number of bytes; 0 to put none
   * @param fenced the epoch that is completed by it; -1 if more comes
   */
  public record TargetPut(int target, long exposed, long from, long at, long length, long fenced) {

    /**
     * Adds the steps of this put.
     *
     * @param steps receives them
     */
    public void addSteps(List<Step> steps) {
      if (exposed >= 0) {
        steps.add(new Step.AwaitExposure(target, exposed));
      }
      if (length > 0) {
        steps.add(new Step.Put(target, new ByteLocation.Memory(from), at, length));
      }
      if (fenced >= 0) {
        steps.add(new Step.Fence(target, fenced));
      }
    }
  }

  /**
   * Bytes of the window that are written to the file.
   *
   * @param at the offset of the first byte in the window
   * @param offset the offset of the first byte in the file
   * @param length the number of bytes
   */
  public record Filled(long at, long offset, long length) {}

  /**
   * The rounds of an owner.
   *
   * @param count the number of rounds
   * @param buffers how many of them the window has room for
   * @param sources the ranks that put bytes
   * @param filled returns what a round has brought, when it is complete
   */
  public record Rounds(
      long count, int buffers, List<Integer> sources, LongFunction<List<Filled>> filled) {}

  /**
   * Starts to put bytes.
   *
   * @param data the bytes, which must stay until this has ended
   * @param puts where they go
   * @return the operation, which advances by {@link StartedRounds#advance}
   */
  public StartedRounds startPuts(MemorySegment data, List<TargetPut> puts) {
    return new StartedRounds(context(data), puts(comm.rank(), puts), null);
  }

  /**
   * Starts to write the rounds of this rank's window. Other ranks may put bytes as soon as this has
   * been called for the first time on this rank.
   *
   * @param rounds the rounds
   * @return the operation, which advances by {@link StartedRounds#advance}
   */
  public StartedRounds startWriting(Rounds rounds) {
    Executor workers = TransferLane.workers(comm.ticker());
    return new StartedRounds(context(MemorySegment.NULL), collecting(comm.rank(), rounds), workers);
  }

  private StepContext context(MemorySegment data) {
    return new StepContext(
        comm,
        tag,
        store,
        MemoryExtents.contiguous(data),
        StepContext.Peers.by(comm.size(), window),
        new BufferPool(0),
        new StepContext.Locks(FileRangeLock.amongThreads(store.name()), null));
  }

  /**
   * {@return the schedule of a rank that puts parts into buffers of aggregators}
   *
   * @param rank the rank
   * @param puts the puts of the rank
   */
  public static Schedule puts(int rank, List<TargetPut> puts) {
    List<Step> steps = new ArrayList<>();
    puts.forEach(put -> put.addSteps(steps));
    return new Schedule("puts", rank, List.of(steps));
  }

  /**
   * {@return the schedule of an aggregator that writes full buffers}
   *
   * @param rank the rank
   * @param rounds the rounds of the aggregator
   */
  public static Schedule collecting(int rank, Rounds rounds) {
    List<Step> first = List.of(new Step.Expose(rounds.buffers - 1L));
    return new Schedule("collect", rank, List.of(first)).then(_ -> round(rank, rounds, 0));
  }

  /** Awaits a round; what it has brought is known only then. */
  private static Schedule round(int rank, Rounds rounds, long number) {
    if (number == rounds.count) {
      return null;
    }
    List<Step> steps = List.of(new Step.AwaitFences(number, rounds.sources));
    return new Schedule("collect", rank, List.of(steps)).then(_ -> written(rank, rounds, number));
  }

  private static Schedule written(int rank, Rounds rounds, long number) {
    List<Step> steps = new ArrayList<>();
    addWrites(rounds.filled.apply(number), steps);
    if (number + rounds.buffers < rounds.count) {
      steps.add(new Step.Expose(number + rounds.buffers));
    }
    return new Schedule("collect", rank, List.of(steps)).then(_ -> round(rank, rounds, number + 1));
  }

  /** Adds one request for all that lies together in the window. */
  private static void addWrites(List<Filled> filled, List<Step> steps) {
    for (int i = 0; i < filled.size(); ) {
      List<ExtentRuns> extents = new ArrayList<>();
      long at = filled.get(i).at;
      long end = at;
      for (; i < filled.size() && filled.get(i).at == end; i++) {
        extents.add(ExtentRuns.of(filled.get(i).offset, filled.get(i).length));
        end += filled.get(i).length;
      }
      ExtentRuns all = ExtentRuns.union(extents);
      ByteLocation from = new ByteLocation.Window(at);
      steps.add(
          extents.size() == 1 ? new Step.Write(all, from) : new Step.ListTransfer(all, from, true));
    }
  }

  /**
   * An operation that advances whenever it is called.
   *
   * <p>Thread rule: one thread, the communicator's.
   */
  public static final class StartedRounds {
    private final ProgressingDriver driver;

    private StartedRounds(StepContext context, Schedule schedule, Executor workers) {
      this.driver = new ProgressingDriver(context, schedule, workers, () -> {});
    }

    /**
     * Goes on as far as that needs no waiting.
     *
     * @return whether it has ended
     * @throws HyperslabException if communication has failed
     */
    public boolean advance() {
      boolean ended = driver.advance(false);
      if (ended && driver.failure() != null) {
        throw SharedFailure.typed(driver.failure(), "puts");
      }
      return ended;
    }

    /** Ends it; waits for a request to the file that is under way. */
    public void giveUp() {
      driver.stop(new CancellationException("puts: given up"));
    }

    /** {@return a number that grows with its progress} */
    public long moves() {
      return driver.moves();
    }

    /** {@return whether a request to the file is under way} */
    public boolean isWriting() {
      return driver.works();
    }

    /** {@return the ranks that it waits for, ascending} */
    public Set<Integer> awaitedRanks() {
      return driver.awaitedRanks();
    }

    /** {@return the first failure of memory or the file; null if there is none} */
    public HyperslabException failure() {
      RuntimeException failed = driver.findings().failure();
      return failed == null ? null : SharedFailure.typed(failed, "declared write");
    }
  }
}
