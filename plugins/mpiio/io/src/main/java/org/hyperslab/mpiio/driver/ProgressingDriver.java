package org.hyperslab.mpiio.driver;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * Runs a schedule as far as possible without waiting, each time it is called, with a cursor of
 * round and step. Worker threads execute steps on memory and the file between steps that
 * communicate; if only the caller's thread may touch the memory, that thread executes them in its
 * calls.
 *
 * <p>After Hoefler, Lumsdaine, Rehm: Implementation and Performance Analysis of Non-Blocking
 * Collective Operations for MPI (2007), and Venkatesan, Chaarawi, Gabriel, Hoefler: Design and
 * Evaluation of Nonblocking Collective I/O Operations (2011), which added file steps and schedules
 * that replace themselves.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class ProgressingDriver {

  /** Who moves the cursor. */
  private enum CursorState {
    /** The calling thread may continue. */
    FREE,
    /** A worker is to continue. */
    OFFERED,
    /** A worker is running. */
    WORKING
  }

  private static final long PAUSE_NANOS = 50_000;

  private final StepActions actions;
  private final Ticker ticker;
  private final Executor workers;
  private final Runnable changed;
  private final AtomicReference<CursorState> cursor = new AtomicReference<>(CursorState.FREE);
  private Schedule schedule;
  private int round;
  private Iterator<Step> steps = List.<Step>of().iterator();
  private Step ahead;
  private Request waiting;
  private boolean ended;
  private Throwable failure;

  /** The failure of messages while a worker was busy. */
  private Throwable broken;

  private long moves;

  /**
   * Creates a driver at the beginning of a schedule, which has not done anything yet.
   *
   * @param context the resources of the schedule
   * @param first the schedule
   * @param workers execute steps on memory and the file; null if only the caller may
   * @param changed called from a worker's thread when progress is possible
   */
  public ProgressingDriver(
      StepContext context, Schedule first, Executor workers, Runnable changed) {
    this.actions = new StepActions(context, new MessageExchanges(context.comm(), context.tag()));
    this.ticker = context.comm().ticker();
    this.schedule = first;
    this.workers = workers;
    this.changed = changed;
  }

  /**
   * Advances as far as possible without waiting for other ranks, locks or memory.
   *
   * @param here whether the caller executes steps on memory and the file itself instead of a
   *     worker, because it would only wait
   * @return whether the schedule has ended; {@link #findings} has the result
   */
  public boolean advance(boolean here) {
    if (ended) {
      return true;
    }
    if (here) {
      cursor.compareAndSet(CursorState.OFFERED, CursorState.FREE);
    }
    if (cursor.get() != CursorState.FREE) {
      poke();
      return false;
    }
    try {
      return proceed(here);
    } catch (RuntimeException | Error failed) {
      end(failed);
      return true;
    }
  }

  /**
   * Advances the messages of the schedule. After a failure, the schedule ends only when the worker
   * is done.
   */
  private void poke() {
    if (broken != null) {
      return;
    }
    try {
      actions.poke();
    } catch (RuntimeException | Error failed) {
      broken = failed;
    }
  }

  private boolean proceed(boolean here) {
    if (waiting instanceof FileSteps.Submitted && !waiting.test()) {
      poke(); // a failure of messages must not free memory that the kernel accesses
      return false;
    }
    failure = failure == null ? broken : failure;
    while (failure == null) {
      if (waiting != null && !waiting.test()) {
        return false;
      }
      waiting = null;
      Step step = peek();
      if (step == null) {
        end(null);
        return true;
      }
      waiting = here ? null : actions.submit(step);
      if (waiting != null) {
        take();
        continue;
      }
      boolean heavy = StepActions.isLocal(step) && !StepActions.isShort(step);
      if (heavy && !here && workers != null) {
        offer();
        return false;
      }
      take();
      waiting = actions.start(step, false);
    }
    end(failure);
    return true;
  }

  /** Returns the next step; null at the end of everything. */
  private Step peek() {
    Step step = nextOfSchedule();
    while (step == null) {
      schedule = schedule.next() == null ? null : schedule.next().apply(actions);
      if (schedule == null) {
        return null;
      }
      round = 0;
      step = nextOfSchedule();
    }
    return step;
  }

  private void take() {
    ahead = null;
    moves++;
  }

  private void offer() {
    cursor.set(CursorState.OFFERED);
    try {
      workers.execute(this::work);
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      // The steps are executed by a caller that waits, or at the next attempt.
      cursor.set(CursorState.FREE);
    }
  }

  /** Executes the steps up to the next one that communicates. */
  private void work() {
    if (!cursor.compareAndSet(CursorState.OFFERED, CursorState.WORKING)) {
      return;
    }
    try {
      Step step = ahead;
      while (step != null && StepActions.isLocal(step) && waiting == null) {
        waiting = actions.submit(step);
        take();
        if (waiting == null) {
          waiting = actions.start(step, !(step instanceof Step.Allocate));
        }
        step = nextOfSchedule();
      }
    } catch (RuntimeException | Error failed) {
      failure = failed;
    } finally {
      cursor.set(CursorState.FREE);
      changed.run();
    }
  }

  /** Returns the next step of this schedule; null at its end. */
  private Step nextOfSchedule() {
    while (ahead == null) {
      if (steps.hasNext()) {
        ahead = steps.next();
      } else if (round < schedule.rounds().size()) {
        actions.beginRound();
        steps = schedule.rounds().get(round++).iterator();
      } else {
        return null;
      }
    }
    return ahead;
  }

  private void end(Throwable failed) {
    ended = true;
    failure = failed;
    actions.abandon(waiting, () -> {});
  }

  /** {@return the ranks with which messages are in flight, ascending} */
  public Set<Integer> awaitedRanks() {
    Set<Integer> ranks = actions.awaitedRanks();
    if (waiting != null) {
      ranks.addAll(PeerRequest.ranksOf(List.of(waiting))); // of a barrier, which has no slot
    }
    return ranks;
  }

  /**
   * Abandons the schedule, which ends with a failure. Must not be called while a worker is busy.
   *
   * @param why the failure
   * @param untouched runs when no message accesses memory any more
   */
  public void abandon(RuntimeException why, Runnable untouched) {
    if (!ended) {
      ended = true;
      failure = why;
      actions.abandon(waiting, untouched);
    }
  }

  /**
   * Abandons the schedule when neither a worker nor the kernel is busy with it. Waits for that, but
   * not for other ranks.
   *
   * @param why the failure
   */
  public void stop(RuntimeException why) {
    cursor.compareAndSet(CursorState.OFFERED, CursorState.FREE);
    while (cursor.get() != CursorState.FREE) {
      ticker.parkNanos(this, PAUSE_NANOS);
    }
    if (waiting instanceof FileSteps.Submitted) {
      waiting.await();
    }
    abandon(why, () -> {});
  }

  /** {@return whether messages may still change or read the rank's own memory} */
  public boolean exposes() {
    return actions.exposes();
  }

  /** {@return whether worker threads, or the kernel, are busy with this schedule} */
  public boolean works() {
    return cursor.get() != CursorState.FREE || waiting instanceof FileSteps.Submitted;
  }

  /** {@return whether a worker is busy, which reports its progress; the kernel does not} */
  public boolean isWithWorker() {
    return cursor.get() != CursorState.FREE;
  }

  /** {@return the number of steps done or started; a change shows progress} */
  public long moves() {
    return moves;
  }

  /** {@return the failure that ended the schedule early; null if there is none} */
  public Throwable failure() {
    return ended ? failure : null;
  }

  /** {@return the findings so far} */
  public Schedule.Findings findings() {
    return actions;
  }
}
