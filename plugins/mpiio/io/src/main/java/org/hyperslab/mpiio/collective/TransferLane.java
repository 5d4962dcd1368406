package org.hyperslab.mpiio.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/**
 * The transfers of one file on one rank that have been started, and the collective calls that wait.
 * Collective transfers begin in the order in which they were started, the same on all ranks, and go
 * on side by side; but reads begin when the writes before them have ended, and writes when the
 * reads have. A call that waits first waits for all that was started before.
 *
 * <p>Thread rule: safe. A thread that advances transfers holds the lock; queries do not wait for
 * it.
 */
public final class TransferLane {

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
   * A transfer that goes on when it is asked.
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

    /** {@return whether a worker is busy with it} */
    boolean works();

    /** {@return the ranks with which messages are under way, ascending} */
    Set<Integer> awaited();

    /** {@return the most time that the other ranks may need for the file without a message} */
    long allowanceNanos();

    /**
     * Prepares to give up: no other rank begins to touch the memory from now on. Asked again while
     * it is {@link Withdrawal#BUSY}.
     *
     * @return whether any still does
     */
    Withdrawal withdraw();

    /**
     * Gives up.
     *
     * @param why what the transfer ends with
     */
    void abandon(RuntimeException why);

    /** {@return what it ended with; called once, when it has ended; throws what it failed with} */
    R end();
  }

  /**
   * A transfer to be started.
   *
   * @param <R> what it ends with
   * @param collective whether all ranks take part
   * @param write whether the file is written
   * @param owner the only thread that may touch the memory; null if any may
   * @param begin makes the transfer when it is its turn; must not wait
   * @param ended runs when it has ended, on whichever thread finds that, and may start others
   */
  public record Start<R>(
      boolean collective,
      boolean write,
      Thread owner,
      Supplier<? extends Moving<R>> begin,
      Runnable ended) {}

  /** The most collective accesses that are under way at one time: each has buffers of its own. */
  private static final int MOST_AT_A_TIME = 16;

  private static final String KEEP =
      "; other ranks may still touch the memory of these transfers, which must not be used again";

  private final String name;
  private final ProgressThread progress;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Ongoing<?>> arrivals = new ConcurrentLinkedQueue<>();
  private final List<Ongoing<?>> ongoing = new ArrayList<>();

  /** What is to be told of accesses that have ended, by a thread that does not hold the lock. */
  private final Queue<Runnable> endings = new ConcurrentLinkedQueue<>();

  /** Accesses that have been started and have not ended. */
  private final AtomicInteger underWay = new AtomicInteger();

  private volatile long deadlineNanos;

  /** The time in which a rank has asked for accesses in vain; guarded by the lock. */
  private final FruitlessTests tests = new FruitlessTests();

  private volatile boolean closed;

  /** Threads that wait for accesses and make them go on meanwhile. */
  private final AtomicInteger waiting = new AtomicInteger();

  private volatile MpiException lost;
  private volatile Thread waiter;

  /** When any thread last made an access go on. */
  private volatile long movedAt = System.nanoTime();

  /**
   * Creates a lane in which nothing is under way.
   *
   * @param name the file, for messages
   * @param progress who makes transfers go on meanwhile
   * @param hints say how long to wait where nothing moves
   */
  public TransferLane(String name, Progress progress, Hints hints) {
    this.name = name;
    use(hints);
    this.progress =
        switch (progress) {
          case THREAD -> new ProgressThread("progress of " + name);
          case ENGINE -> ProgressThread.ENGINE;
          case WAIT -> null;
        };
  }

  /**
   * Uses other hints from now on.
   *
   * @param hints say how long to wait where nothing moves
   */
  public void use(Hints hints) {
    deadlineNanos = hints.deadlineNanos();
  }

  /** {@return threads that carry out requests to files, for all lanes of the process} */
  public static Executor workers() {
    return FileWorkers.shared();
  }

  /**
   * Makes a collective call when all transfers that were started before have ended.
   *
   * @param <T> the type of the result
   * @param call what to do; waits for other ranks
   * @return what the call returned
   */
  public <T> T run(Supplier<T> call) {
    open();
    lock.lock();
    try {
      Idling idling = new Idling();
      takeArrivals();
      while (!ongoing.isEmpty()) {
        if (advanceFor(ongoing.getFirst())) {
          idling.reset();
        } else {
          pause(idling);
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
      tell(ending);
    }
  }

  /** Who throws when it hears of an end must not keep others from hearing of theirs. */
  private static void tell(Runnable ending) {
    try {
      ending.run();
    } catch (RuntimeException | Error fault) {
      Thread here = Thread.currentThread();
      here.getUncaughtExceptionHandler().uncaughtException(here, fault);
    }
  }

  /**
   * Starts a transfer; it has gone as far as it can without waiting when this returns.
   *
   * @param <R> what it ends with
   * @param start the transfer
   * @return the transfer under way
   */
  public <R> Ongoing<R> start(Start<R> start) {
    open();
    Ongoing<R> access = new Ongoing<>(this, start);
    arrivals.add(access);
    underWay.incrementAndGet();
    help();
    if (progress != null && !access.hasEnded()) {
      progress.serve(this);
    }
    return access;
  }

  /**
   * {@return whether transfers were given up because other ranks stayed away: then ranks may be at
   * different calls, and every call fails at once}
   */
  public boolean isLost() {
    return lost != null;
  }

  /**
   * Refuses all further calls, for ranks have been given up.
   *
   * @param why why they have
   */
  public void lose(MpiException why) {
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
    movedAt = System.nanoTime();
    LockSupport.unpark(waiter);
    if (progress != null && !isAwaited()) {
      progress.wake();
    }
  }

  /** Returns whether nothing is under way. */
  boolean isIdle() {
    return underWay.get() == 0;
  }

  /**
   * Returns whether a rank waits: then it makes the accesses go on, and two threads that ask the
   * MPI library by turns would be slower than one.
   */
  boolean isAwaited() {
    return waiting.get() > 0;
  }

  /** Makes all accesses go on as far as they can without waiting; whether any did. */
  boolean help() {
    if (isIdle() || !lock.tryLock()) {
      return false;
    }
    try {
      takeArrivals();
      return advanceAll(null);
    } finally {
      unlock();
    }
  }

  /** As {@link #help}, for a rank that wants to know: what it asks for in vain is given up. */
  private void test() {
    if (isIdle() || !lock.tryLock()) {
      return;
    }
    try {
      takeArrivals();
      boolean moved = advanceAll(null);
      long now = System.nanoTime();
      long vain = moved ? tests.none() : tests.fruitless(now, movedAt, deadlineNanos);
      long others = now - movedAt;
      if (Math.min(vain, others) > deadlineNanos && giveUp(others)) {
        tests.none();
      }
    } finally {
      unlock();
    }
  }

  /** Ends all that is under way with a failure, for a thread that cannot make it go on. */
  void fail(Throwable broken) {
    lock.lock();
    try {
      takeArrivals();
      MpiException why =
          new MpiException(
              "started transfers of " + name,
              MpiException.NO_RANK,
              MpiException.NO_CODE,
              "actual=" + broken + ", expected=progress",
              broken);
      lost = lost == null ? why : lost;
      for (Ongoing<?> each : List.copyOf(ongoing)) {
        if (!each.works() && each.withdraw() != Withdrawal.BUSY) {
          each.abandon(why);
          ongoing.remove(each);
          underWay.decrementAndGet();
        }
      }
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
    Idling idling = new Idling();
    while (!access.hasEnded()) {
      boolean moved;
      lock.lock();
      try {
        takeArrivals();
        moved = access.hasEnded() || advanceFor(access);
      } finally {
        unlock();
      }
      if (moved) {
        idling.reset();
      } else if (!access.hasEnded()) {
        pause(idling);
      }
    }
  }

  /** Makes accesses go on for a thread that waits for one of them; holds the lock. */
  private boolean advanceFor(Ongoing<?> awaited) {
    waiter = Thread.currentThread();
    return advanceAll(awaited);
  }

  private void pause(Idling idling) {
    idling.pause();
    long others = System.nanoTime() - movedAt;
    if (Math.min(idling.waitedNanos(), others) > deadlineNanos && giveUp(others)) {
      idling.reset();
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new MpiException(
          name, MpiException.NO_RANK, MpiException.NO_CODE, "interrupted while waiting");
    }
  }

  /**
   * Ends all that is under way with an error, unless a worker is still busy, or other ranks may be:
   * those that only wait for the end hear nothing while aggregators write. Nor while another rank
   * of the process touches the memory, which would be the caller's again.
   *
   * @return whether a worker is busy
   */
  private boolean giveUp(long waitedNanos) {
    lock.lock();
    try {
      takeArrivals();
      if (ongoing.stream().anyMatch(Ongoing::works)) {
        return true;
      }
      long allowance = ongoing.stream().mapToLong(Ongoing::allowanceNanos).sum();
      if (waitedNanos - deadlineNanos <= allowance) {
        return false;
      }
      List<Withdrawal> reach = ongoing.stream().map(Ongoing::withdraw).toList();
      if (reach.contains(Withdrawal.BUSY)) {
        return false;
      }
      TreeSet<Integer> ranks = new TreeSet<>();
      ongoing.forEach(each -> ranks.addAll(each.awaited()));
      MpiException why =
          new MpiException(
              "started transfers of " + name,
              MpiException.NO_RANK,
              MpiException.NO_CODE,
              "actual=nothing has moved for "
                  + deadlineNanos / 1_000_000
                  + " ms, waiting for "
                  + (ranks.isEmpty() ? "a lock" : SharedFailure.ranks(List.copyOf(ranks)))
                  + ", expected=every rank makes the same calls in the same order; the hint "
                  + Hints.DEADLINE
                  + " says how long to wait"
                  + (reach.contains(Withdrawal.UNCERTAIN) ? KEEP : ""));
      lost = why;
      ongoing.forEach(each -> each.abandon(why));
      underWay.addAndGet(-ongoing.size());
      ongoing.clear();
      return false;
    } finally {
      unlock();
    }
  }

  private void takeArrivals() {
    for (Ongoing<?> access = arrivals.poll(); access != null; access = arrivals.poll()) {
      ongoing.add(access);
    }
  }

  /**
   * Makes accesses go on.
   *
   * @param awaited the access that the calling thread waits for; null if it does not wait
   * @return whether anything moved
   */
  private boolean advanceAll(Ongoing<?> awaited) {
    boolean moved = false;
    boolean mayBegin = true;
    int reads = 0;
    int writes = 0;
    boolean alone = ongoing.size() == 1;
    for (int i = 0; i < ongoing.size(); i++) {
      Ongoing<?> access = ongoing.get(i);
      boolean turn = access.hasBegun() || !access.isCollective();
      if (!turn) {
        int others = access.isWrite() ? reads : writes;
        mayBegin &= others == 0 && reads + writes < MOST_AT_A_TIME && access.mayAdvanceHere();
        turn = mayBegin;
      }
      if (turn && access.mayAdvanceHere()) {
        moved |= access.advance(alone && access == awaited);
      }
      if (access.isCollective() && !access.hasEnded()) {
        reads += access.isWrite() ? 0 : 1;
        writes += access.isWrite() ? 1 : 0;
      }
    }
    int before = ongoing.size();
    ongoing.removeIf(Ongoing::hasEnded);
    underWay.addAndGet(ongoing.size() - before);
    if (moved) {
      movedAt = System.nanoTime();
    }
    return moved;
  }

  /** Refuses all further calls. */
  public void close() {
    closed = true;
  }

  /**
   * A transfer that has been started.
   *
   * <p>Thread rule: {@link #advance} by one thread at a time, which the lane sees to; the others
   * are safe.
   *
   * @param <R> what it ends with
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

    private boolean isCollective() {
      return start.collective();
    }

    private boolean isWrite() {
      return start.write();
    }

    private boolean hasBegun() {
      return moving != null;
    }

    /** {@return whether it has ended, as far as is known without making it go on} */
    public boolean hasEnded() {
      return ended;
    }

    private boolean mayAdvanceHere() {
      return start.owner() == null || start.owner() == Thread.currentThread();
    }

    private Withdrawal withdraw() {
      return moving == null ? Withdrawal.COMPLETE : moving.withdraw();
    }

    private boolean works() {
      return moving != null && moving.works();
    }

    private long allowanceNanos() {
      return moving == null ? 0 : moving.allowanceNanos();
    }

    private Set<Integer> awaited() {
      return moving == null ? Set.of() : moving.awaited();
    }

    private void abandon(MpiException why) {
      if (moving != null) {
        moving.abandon(why);
      }
      failure = why;
      ended = true;
      lane.endings.add(start.ended());
    }

    /** Goes on without waiting; whether anything moved. */
    private boolean advance(boolean here) {
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

    /** {@return whether it has ended; never waits} */
    public boolean test() {
      if (!ended) {
        lane.test();
      }
      return ended;
    }

    /**
     * {@return what it ended with, after waiting for that}
     *
     * @throws org.hyperslab.error.HyperslabException what it failed with
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
