package org.hyperslab.mpiio.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * The accesses of one file on one rank that have been started, and the collective calls that wait.
 * Collective accesses begin in the order in which they were started, the same on all ranks, and go
 * on side by side; but reads begin when the writes before them have ended, and writes when the
 * reads have. A call that waits first waits for all that was started before.
 *
 * <p>Thread rule: safe. Whoever makes accesses go on holds the lock; nobody who only looks waits
 * for it.
 */
final class AccessLane {

  /** The most collective accesses that are under way at one time: each has buffers of its own. */
  private static final int MOST_AT_A_TIME = 16;

  private final String name;
  private final ProgressThread progress;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<OngoingAccess> arrivals = new ConcurrentLinkedQueue<>();
  private final List<OngoingAccess> ongoing = new ArrayList<>();

  /** Accesses that have been started and have not ended. */
  private final AtomicInteger underWay = new AtomicInteger();

  private volatile boolean closed;
  private volatile Thread waiter;

  /**
   * A lane.
   *
   * @param name the file, for messages
   * @param progress makes accesses go on meanwhile; null if nobody does
   */
  AccessLane(String name, ProgressThread progress) {
    this.name = name;
    this.progress = progress;
  }

  /** Makes a collective call when all accesses that were started before have ended. */
  <T> T run(Supplier<T> call) {
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
      return call.get();
    } catch (Error e) {
      throw SharedFailure.typed(e, name);
    } finally {
      lock.unlock();
    }
  }

  /** Starts an access; it has gone as far as it can without waiting. */
  OngoingAccess start(OngoingAccess access) {
    open();
    arrivals.add(access);
    underWay.incrementAndGet();
    help();
    if (progress != null && !access.hasEnded()) {
      progress.serve(this);
    }
    return access;
  }

  private void open() {
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + name);
    }
  }

  /** Told by a worker when it has done something. */
  void changed() {
    LockSupport.unpark(waiter);
    if (progress != null) {
      progress.wake();
    }
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return underWay.get() == 0;
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
      lock.unlock();
    }
  }

  /** Waits until an access has ended. */
  void await(OngoingAccess access) {
    Idling idling = new Idling();
    while (!access.hasEnded()) {
      boolean moved;
      lock.lock();
      try {
        takeArrivals();
        moved = access.hasEnded() || advanceFor(access);
      } finally {
        lock.unlock();
      }
      if (moved) {
        idling.reset();
      } else if (!access.hasEnded()) {
        pause(idling);
      }
    }
  }

  /** Makes accesses go on for a thread that waits for one of them; holds the lock. */
  private boolean advanceFor(OngoingAccess awaited) {
    waiter = Thread.currentThread();
    return advanceAll(awaited);
  }

  private void pause(Idling idling) {
    idling.pause();
    if (Thread.currentThread().isInterrupted()) {
      throw new MpiException(
          name, MpiException.NO_RANK, MpiException.NO_CODE, "interrupted while waiting");
    }
  }

  private void takeArrivals() {
    for (OngoingAccess access = arrivals.poll(); access != null; access = arrivals.poll()) {
      ongoing.add(access);
    }
  }

  /**
   * Makes accesses go on.
   *
   * @param awaited the access that the calling thread waits for; null if it does not wait
   * @return whether anything moved
   */
  private boolean advanceAll(OngoingAccess awaited) {
    boolean moved = false;
    boolean mayBegin = true;
    int reads = 0;
    int writes = 0;
    boolean alone = ongoing.size() == 1;
    for (int i = 0; i < ongoing.size(); i++) {
      OngoingAccess access = ongoing.get(i);
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
    ongoing.removeIf(OngoingAccess::hasEnded);
    underWay.addAndGet(ongoing.size() - before);
    return moved;
  }

  /** Refuses calls from now on. */
  void close() {
    closed = true;
  }
}
