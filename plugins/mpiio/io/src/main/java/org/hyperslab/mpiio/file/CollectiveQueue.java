package org.hyperslab.mpiio.file;

import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * The collective calls of one file on one rank, carried out strictly in the order in which they
 * were made, one at a time, so that ranks meet in the same call. Whoever waits for a call carries
 * out those before it; a progress thread, if there is one, carries out calls for which nobody
 * waits.
 *
 * <p>Thread rule: safe. The progress thread starts with the first call that is not waited for.
 */
final class CollectiveQueue {

  private final boolean progress;
  private final String name;
  private final ArrayDeque<Ticket<?>> queue = new ArrayDeque<>();
  private boolean busy;
  private boolean closed;
  private Thread thread;

  /**
   * A lane.
   *
   * @param progress whether there shall be a progress thread
   */
  CollectiveQueue(String name, boolean progress) {
    this.name = name;
    this.progress = progress;
  }

  /** A call that has been made. */
  final class Ticket<T> {
    private final Supplier<T> call;

    /** The only thread that may carry it out, or null for any. */
    private final Thread pinned;

    private T outcome;
    private RuntimeException failure;
    private boolean done;

    private Ticket(Supplier<T> call, Thread pinned) {
      this.call = call;
      this.pinned = pinned;
    }

    boolean isDone() {
      synchronized (CollectiveQueue.this) {
        return done;
      }
    }

    /** Whether it has ended; helps if nobody else will. */
    boolean test() {
      boolean helped = !isDone() && (thread() == null || pinned != null);
      return helped ? await(true) : isDone();
    }

    T get() {
      await(false);
      if (failure != null) {
        throw failure;
      }
      return outcome;
    }

    /** Carries out what stands before it, and it. */
    private boolean await(boolean onlyTest) {
      while (true) {
        Ticket<?> next;
        synchronized (CollectiveQueue.this) {
          while (!done && (busy || !mayRun(queue.peek()))) {
            if (onlyTest) {
              return false;
            }
            waitForChange();
          }
          if (done) {
            return true;
          }
          next = queue.poll();
          busy = true;
        }
        next.run();
      }
    }

    private void run() {
      T result = null;
      RuntimeException problem = null;
      try {
        result = call.get();
      } catch (RuntimeException e) {
        problem = e;
      } catch (Error e) {
        problem = SharedFailure.typed(e, name);
      }
      synchronized (CollectiveQueue.this) {
        outcome = result;
        failure = problem;
        done = true;
        busy = false;
        CollectiveQueue.this.notifyAll();
      }
    }
  }

  /** Makes a call and waits for its end. */
  <T> T run(Supplier<T> call) {
    return submit(call, Thread.currentThread()).get();
  }

  /**
   * Makes a call without waiting.
   *
   * @param anyThread whether the progress thread may carry it out
   */
  <T> Ticket<T> start(Supplier<T> call, boolean anyThread) {
    Ticket<T> ticket = submit(call, anyThread ? null : Thread.currentThread());
    if (progress && anyThread) {
      ensureThread();
    }
    return ticket;
  }

  private synchronized <T> Ticket<T> submit(Supplier<T> call, Thread pinned) {
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + name);
    }
    Ticket<T> ticket = new Ticket<>(call, pinned);
    queue.add(ticket);
    notifyAll();
    return ticket;
  }

  private static boolean mayRun(Ticket<?> head) {
    return head != null && (head.pinned == null || head.pinned == Thread.currentThread());
  }

  private synchronized Thread thread() {
    return thread;
  }

  private synchronized void ensureThread() {
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("progress of " + name).start(this::progress);
    }
  }

  private void progress() {
    while (true) {
      Ticket<?> next;
      synchronized (this) {
        while (busy || !mayRun(queue.peek())) {
          if (closed && queue.isEmpty()) {
            return;
          }
          waitForChange();
        }
        next = queue.poll();
        busy = true;
      }
      next.run();
    }
  }

  private void waitForChange() {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(
          name, MpiException.NO_RANK, MpiException.NO_CODE, "interrupted while waiting", e);
    }
  }

  /** Refuses calls from now on; what was made before is still carried out. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
