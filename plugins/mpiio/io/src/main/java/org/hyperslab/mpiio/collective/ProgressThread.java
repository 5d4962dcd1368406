package org.hyperslab.mpiio.collective;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Advances the started accesses of one or more files. Its thread runs while an access is in
 * progress, and briefly afterwards.
 *
 * <p>Thread rule: safe.
 */
final class ProgressThread {

  /** The instance that serves all files that share it. */
  static final ProgressThread ENGINE = new ProgressThread("progress engine");

  private static final long LINGER_NANOS = 100_000_000;

  /** How long to leave accesses to ranks that wait for them. */
  private static final long AWAITED_NANOS = 1_000_000;

  private final String name;
  private final Set<TransferLane> lanes = ConcurrentHashMap.newKeySet();
  private Thread thread;

  ProgressThread(String name) {
    this.name = name;
  }

  /** Advances a lane until it has no transfer in progress. */
  void serve(TransferLane lane) {
    lanes.add(lane);
    synchronized (this) {
      if (thread == null) {
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
      }
      LockSupport.unpark(thread);
    }
  }

  /** Wakes the thread to try again. */
  synchronized void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    Backoff backoff = new Backoff();
    long idleSince = System.nanoTime();
    while (true) {
      boolean moved = false;
      boolean needed = false;
      for (TransferLane lane : lanes) {
        if (!lane.isAwaited()) {
          needed = true;
          moved |= lane.help();
        }
        leaveIfIdle(lane);
      }
      if (lanes.isEmpty()) {
        if (System.nanoTime() - idleSince > LINGER_NANOS && leaves()) {
          return;
        }
        LockSupport.parkNanos(this, LINGER_NANOS);
        continue;
      }
      idleSince = System.nanoTime();
      if (moved) {
        backoff.reset();
      } else if (needed) {
        backoff.pause();
      } else {
        LockSupport.parkNanos(this, AWAITED_NANOS);
      }
    }
  }

  private void leaveIfIdle(TransferLane lane) {
    if (lane.isIdle()) {
      lanes.remove(lane);
      if (!lane.isIdle()) {
        lanes.add(lane); // something was started meanwhile
      }
    }
  }

  private synchronized boolean leaves() {
    if (lanes.isEmpty()) {
      thread = null;
      return true;
    }
    return false;
  }
}
