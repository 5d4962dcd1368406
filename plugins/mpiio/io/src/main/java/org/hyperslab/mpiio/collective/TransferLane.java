package org.hyperslab.mpiio.collective;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.driver.FileWorkers;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.Backoff;
import org.hyperslab.mpiio.waiting.StallTimer;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * The transfers of one file on one rank that have been started, and the collective calls that wait.
 * Collective transfers begin in the order in which they were started, the same on all ranks, and go
 * on side by side; but reads begin when the writes before them have ended, and writes when the
 * reads have. A call that waits first waits for all that was started before.
 *
 * <p>Thread rule: safe. A thread that advances transfers holds the lock; queries do not wait for
 * it.
 */
public final class TransferLane implements AutoCloseable {

  /** Selects the thread that advances started transfers of a file while their rank computes. */
  public enum Progress {
    /** A thread of the file. */
    THREAD("thread", "by a thread of the file"),
    /** One thread for all files of the process. */
    ENGINE("engine", "by the engine of all files of the process"),
    /** The rank itself, when it starts, tests or waits. */
    WAIT("wait", "when the rank tests or waits");

    /** The hint that chooses. */
    public static final String HINT = "progress";

    private final String word;
    private final String description;

    Progress(String word, String description) {
      this.word = word;
      this.description = description;
    }

    /**
     * {@return the choice of a rank} Another thread than the rank's may communicate only where MPI
     * allows it.
     *
     * @param hints the hints of the file
     * @param comm the ranks
     * @throws InvalidUseException if the hint's value is none of the choices
     */
    public static Progress of(Hints hints, Communicator comm) {
      String wanted = hints.others().getOrDefault(HINT, THREAD.word);
      for (Progress progress : values()) {
        if (progress.word.equals(wanted)) {
          return Worlds.takeOtherThreads(comm) ? progress : WAIT;
        }
      }
      throw new InvalidUseException(
          "hint: actual=" + HINT + "=" + wanted + ", expected=thread, engine or wait");
    }

    /** {@return the choice, for messages} */
    public String describe() {
      return description;
    }
  }

  /** The reach of other ranks into the memory of a transfer that is to be given up. */
  public enum Withdrawal {
    /** No other rank touches it. */
    COMPLETE,
    /** A rank of this process touches it just now. */
    BUSY,
    /** It is not known: other processes, or messages under way, may reach it. */
    UNCERTAIN
  }

  /**
   * A transfer that advances when it is called.
   *
   * @param <R> what it ends with
   */
  public interface Moving<R> {

    /**
     * Goes on as far as possible without waiting.
     *
     * @param here whether the caller rather does requests to the file itself
     * @return whether it has ended
     */
    boolean advance(boolean here);

    /** {@return a number that changes when it has gone on} */
    long moves();

    /** {@return whether a worker, or the kernel, is busy with it} */
    boolean works();

    /** {@return whether it reports by {@link TransferLane#changed} that it can advance again} */
    default boolean reports() {
      return works();
    }

    /** {@return the ranks with which messages are under way, ascending} */
    Set<Integer> awaitedRanks();

    /** {@return the greatest time that the other ranks may need for the file without a message} */
    long allowanceNanos();

    /**
     * Prepares to abandon the transfer: stops new accesses of other ranks to the memory. Called
     * again while the result is {@link Withdrawal#BUSY}.
     *
     * @return whether other ranks still access it
     */
    Withdrawal withdraw();

    /**
     * Abandons the transfer.
     *
     * @param why the failure with which the transfer ends
     */
    void abandon(RuntimeException why);

    /** {@return the result; called once, when the transfer has ended; throws its failure} */
    R end();
  }

  /**
   * A transfer to be started.
   *
   * @param <R> the type of the result
   * @param collective whether all ranks take part
   * @param write whether the file is written
   * @param owner the only thread that may touch the memory; null if any may
   * @param begin creates the transfer when it is its turn; must not wait
   * @param ended runs when the transfer has ended, on the thread that finds this, and may start
   *     others
   */
  public record Start<R>(
      boolean collective,
      boolean write,
      Thread owner,
      Supplier<? extends Moving<R>> begin,
      Runnable ended) {}

  private static final String KEEP =
      "; other ranks may still touch the memory of these transfers, which must not be used again";

  private final String name;
  private final Ticker ticker;
  private final ProgressThread progress;
  private final ReentrantLock lock = new ReentrantLock();
  private final OngoingTransfers transfers = new OngoingTransfers();

  /** Notifications of ended accesses, to be run by a thread that does not hold the lock. */
  private final Queue<Runnable> endings = new ConcurrentLinkedQueue<>();

  private volatile long deadlineNanos;

  /** The time in which a rank has asked for accesses in vain; guarded by the lock. */
  private final StallTimer tests = new StallTimer();

  private volatile boolean closed;

  /** The threads that wait for accesses and advance them meanwhile. */
  private final AtomicInteger waiting = new AtomicInteger();

  private volatile MpiException lost;
  private volatile Thread waiter;

  /** The time of the last progress in any thread. */
  private volatile long movedAt;

  /**
   * Creates a lane without transfers.
   *
   * @param name the file, for messages
   * @param progress the means that advances transfers in the background
   * @param hints the hints, with the deadline for waits without progress
   * @param ticker the time of the ranks
   */
  public TransferLane(String name, Progress progress, Hints hints, Ticker ticker) {
    this.name = name;
    this.ticker = ticker;
    this.movedAt = ticker.nanoTime();
    use(hints);
    this.progress =
        switch (progress) {
          case THREAD -> new ProgressThread("progress of " + name, ticker);
          case ENGINE -> ProgressThread.engine(ticker);
          case WAIT -> null;
        };
  }

  /**
   * Changes the hints.
   *
   * @param hints the hints, with the deadline for waits without progress
   */
  public void use(Hints hints) {
    deadlineNanos = hints.deadlineNanos();
  }

  /**
   * {@return the threads that execute requests to files: those of the process, or those that the
   * ticker makes if it is not the system's}
   *
   * @param ticker the time of the ranks for which they work
   */
  public static Executor workers(Ticker ticker) {
    return ticker == Ticker.SYSTEM
        ? FileWorkers.shared()
        : task -> ticker.newThread("file worker", task).start();
  }

  /**
   * Makes a collective call when all transfers that were started before have ended.
   *
   * @param <T> the type of the result
   * @param call the call, which may wait for other ranks
   * @return the result of the call
   */
  public <T> T run(Supplier<T> call) {
    open();
    lock.lock();
    try {
      Backoff backoff = new Backoff(ticker);
      transfers.takeArrivals();
      for (Ongoing<?> first = transfers.first(); first != null; first = transfers.first()) {
        if (advanceFor(first)) {
          backoff.reset();
        } else {
          pause(backoff);
        }
      }
      open();
      return call.get();
    } catch (Error e) {
      throw SharedFailure.typed(e, name);
    } finally {
      unlock();
    }
  }

  private void unlock() {
    lock.unlock();
    while (!lock.isHeldByCurrentThread()) {
      Runnable ending = endings.poll();
      if (ending == null) {
        return;
      }
      runNotification(ending);
    }
  }

  /** Runs a notification. An exception that it throws must not keep others from running. */
  private static void runNotification(Runnable ending) {
    try {
      ending.run();
    } catch (RuntimeException | Error fault) {
      Thread here = Thread.currentThread();
      here.getUncaughtExceptionHandler().uncaughtException(here, fault);
    }
  }

  /**
   * Starts a transfer, and advances it as far as possible without waiting.
   *
   * @param <R> the type of the result
   * @param start the transfer
   * @return the started transfer
   */
  public <R> Ongoing<R> start(Start<R> start) {
    open();
    Ongoing<R> access = new Ongoing<>(this, start);
    transfers.add(access);
    help();
    if (progress != null && !access.hasEnded()) {
      progress.serve(this);
    }
    return access;
  }

  /**
   * {@return whether transfers were abandoned because other ranks did not take part; ranks may then
   * be at different calls, and every call fails at once}
   */
  public boolean isLost() {
    return lost != null;
  }

  /**
   * Refuses all further calls, for ranks have been given up.
   *
   * @param why why they have
   */
  public void markLost(MpiException why) {
    lost = lost == null ? why : lost;
  }

  private void open() {
    if (lost != null) {
      throw new MpiException(
          lost.call(), lost.rank(), lost.code(), lost.text() + "; given up before", lost);
    }
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + name);
    }
  }

  /** Receives a worker's notice that it has made progress. */
  public void changed() {
    movedAt = ticker.nanoTime();
    ticker.unpark(waiter);
    if (progress != null && !isAwaited()) {
      progress.wake();
    }
  }

  /** Returns whether no transfer is in progress. */
  boolean isIdle() {
    return transfers.isIdle();
  }

  /**
   * Returns whether a rank waits. The waiting rank then advances the accesses, because two threads
   * that poll the MPI library by turns hinder each other.
   */
  boolean isAwaited() {
    return waiting.get() > 0;
  }

  /**
   * Advances all accesses as far as possible without waiting; returns whether there was progress.
   */
  boolean help() {
    if (isIdle() || !lock.tryLock()) {
      return false;
    }
    try {
      transfers.takeArrivals();
      return advanceAll(null);
    } finally {
      unlock();
    }
  }

  /**
   * Returns whether all accesses in progress wait only for workers, so that nothing advances before
   * {@link #changed} is called.
   */
  boolean isLeftToWorkers() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return transfers.awaitOnlyWorkers();
    } finally {
      unlock();
    }
  }

  /**
   * Advances accesses as {@link #help} does, for a rank that tests; abandons them after the
   * deadline without progress.
   */
  private void test() {
    if (isIdle() || !lock.tryLock()) {
      return;
    }
    try {
      transfers.takeArrivals();
      boolean moved = advanceAll(null);
      long now = ticker.nanoTime();
      long vain = moved ? tests.reset() : tests.stalledNanos(now, movedAt, deadlineNanos);
      long others = now - movedAt;
      if (Math.min(vain, others) > deadlineNanos && abandon(others)) {
        tests.reset();
      }
    } finally {
      unlock();
    }
  }

  /** Ends all transfers in progress with a failure, for a thread that cannot advance them. */
  void fail(Throwable broken) {
    lock.lock();
    try {
      transfers.takeArrivals();
      MpiException why = failure("actual=" + broken + ", expected=progress", broken);
      lost = lost == null ? why : lost;
      transfers.abandonUnused(why);
    } finally {
      unlock();
    }
  }

  /** Waits until an access has ended. */
  void await(Ongoing<?> access) {
    waiting.incrementAndGet();
    try {
      waitFor(access);
    } finally {
      if (waiting.decrementAndGet() == 0 && progress != null && !isIdle()) {
        progress.wake();
      }
    }
  }

  private void waitFor(Ongoing<?> access) {
    Backoff backoff = new Backoff(ticker);
    while (!access.hasEnded()) {
      boolean moved;
      lock.lock();
      try {
        transfers.takeArrivals();
        moved = access.hasEnded() || advanceFor(access);
      } finally {
        unlock();
      }
      if (moved) {
        backoff.reset();
      } else if (!access.hasEnded()) {
        pause(backoff);
      }
    }
  }

  /** Advances accesses for a thread that waits for one of them; called with the lock held. */
  private boolean advanceFor(Ongoing<?> awaited) {
    waiter = Thread.currentThread();
    return advanceAll(awaited);
  }

  private void pause(Backoff backoff) {
    backoff.pause();
    long others = ticker.nanoTime() - movedAt;
    if (Math.min(backoff.waitedNanos(), others) > deadlineNanos && abandon(others)) {
      backoff.reset();
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new MpiException(
          name, MpiException.NO_RANK, MpiException.NO_CODE, "interrupted while waiting");
    }
  }

  /**
   * Ends all transfers in progress with an error, unless memory of this rank may still be accessed.
   * That is so if a worker is still busy, if other ranks may be busy (ranks that only wait for the
   * end receive no message while aggregators write), or if another rank of the process accesses the
   * memory, which would return to the caller.
   *
   * @return whether a worker is busy
   */
  private boolean abandon(long waitedNanos) {
    lock.lock();
    try {
      transfers.takeArrivals();
      if (transfers.anyWorks()) {
        return true;
      }
      if (waitedNanos - deadlineNanos <= transfers.allowanceNanos()) {
        return false;
      }
      Set<Withdrawal> reach = transfers.withdraw();
      if (reach.contains(Withdrawal.BUSY)) {
        return false;
      }
      lost = failure(stalled(transfers.awaitedRanks(), reach), null);
      transfers.abandonAll(lost);
      return false;
    } finally {
      unlock();
    }
  }

  private String stalled(Set<Integer> ranks, Set<Withdrawal> reach) {
    return "actual=nothing has moved for "
        + deadlineNanos / 1_000_000
        + " ms, waiting for "
        + (ranks.isEmpty() ? "a lock" : SharedFailure.ranks(List.copyOf(ranks)))
        + ", expected=every rank makes the same calls in the same order; the hint "
        + Hints.DEADLINE
        + " says how long to wait"
        + (reach.contains(Withdrawal.UNCERTAIN) ? KEEP : "");
  }

  private MpiException failure(String text, Throwable cause) {
    return new MpiException(
        "started transfers of " + name, MpiException.NO_RANK, MpiException.NO_CODE, text, cause);
  }

  /**
   * Advances the transfers in progress, and notes the time if one has moved.
   *
   * @param awaited the access that the calling thread waits for; null if it does not wait
   * @return whether there was progress
   */
  private boolean advanceAll(Ongoing<?> awaited) {
    boolean moved = transfers.advance(awaited);
    if (moved) {
      movedAt = ticker.nanoTime();
    }
    return moved;
  }

  /**
   * Refuses all further calls. If a rank ends without having waited for its transfers, they are
   * abandoned when neither a worker nor another rank is busy with them.
   */
  @Override
  public void close() {
    closed = true;
    if (!isIdle()) {
      Request.tryUntilDone(this::abandonUnused);
    }
  }

  private boolean abandonUnused() {
    if (lock.tryLock()) {
      try {
        transfers.takeArrivals();
        advanceAll(null); // what the kernel has done shows only then
        transfers.abandonUnused(failure("actual=closed by its rank, expected=waits before", null));
      } finally {
        unlock();
      }
    }
    return isIdle();
  }

  /**
   * A started transfer.
   *
   * <p>Thread rule: {@link #advance} by one thread at a time, which the lane ensures; the other
   * methods are safe.
   *
   * @param <R> the type of the result
   */
  public static final class Ongoing<R> {
    private final TransferLane lane;
    private final Start<R> start;
    private Moving<R> moving;
    private R result;
    private RuntimeException failure;
    private volatile boolean ended;

    private Ongoing(TransferLane lane, Start<R> start) {
      this.lane = lane;
      this.start = start;
    }

    boolean isCollective() {
      return start.collective();
    }

    boolean isWrite() {
      return start.write();
    }

    boolean hasBegun() {
      return moving != null;
    }

    /** {@return whether the transfer is known to have ended, without advancing it} */
    public boolean hasEnded() {
      return ended;
    }

    boolean mayAdvanceHere() {
      return start.owner() == null || start.owner() == Thread.currentThread();
    }

    Withdrawal withdraw() {
      return moving == null ? Withdrawal.COMPLETE : moving.withdraw();
    }

    boolean works() {
      return moving != null && moving.works();
    }

    boolean reports() {
      return moving != null && moving.reports();
    }

    long allowanceNanos() {
      return moving == null ? 0 : moving.allowanceNanos();
    }

    Set<Integer> awaitedRanks() {
      return moving == null ? Set.of() : moving.awaitedRanks();
    }

    void abandon(MpiException why) {
      if (moving != null) {
        moving.abandon(why);
      }
      failure = why;
      ended = true;
      lane.endings.add(start.ended());
    }

    /** Advances without waiting; returns whether there was progress. */
    boolean advance(boolean here) {
      try {
        if (moving == null) {
          moving = start.begin().get();
        }
        long before = moving.moves();
        if (!moving.advance(here)) {
          return moving.moves() != before;
        }
        result = moving.end();
      } catch (RuntimeException failed) {
        failure = failed;
      } catch (Error failed) {
        failure = SharedFailure.typed(failed, lane.name);
      }
      ended = true;
      lane.endings.add(start.ended());
      return true;
    }

    /** {@return whether the transfer has ended; never waits} */
    public boolean test() {
      if (!ended) {
        lane.test();
      }
      return ended;
    }

    /**
     * {@return the result, after waiting for the end}
     *
     * @throws org.hyperslab.error.HyperslabException the failure of the transfer
     */
    public R await() {
      lane.await(this);
      if (failure != null) {
        throw failure;
      }
      return result;
    }
  }
}
