package org.hyperslab.mpiio.collective;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.mpiio.waiting.Backoff;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * Advances the started accesses of one or more files. Its thread runs while an access is in
 * progress, and briefly afterwards.
 *
 * <p>Thread rule: safe.
 */
final class ProgressThread {

  /** The instances that serve all files of ranks with the same time: most often one. */
  private static final Map<Ticker, ProgressThread> ENGINES = new ConcurrentHashMap<>();

  private static final long LINGER_NANOS = 100_000_000;

  /** The time for which accesses are left to ranks that wait for them. */
  private static final long AWAITED_NANOS = 1_000_000;

  /**
   * How long to leave accesses to workers, which wake this thread when they are done. Each look in
   * vain takes the processor from a thread that computes.
   */
  private static final long WORKING_NANOS = 20_000_000;

  private final String name;
  private final Ticker ticker;
  private final Set<TransferLane> lanes = ConcurrentHashMap.newKeySet();
  private Thread thread;

  ProgressThread(String name, Ticker ticker) {
    this.name = name;
    this.ticker = ticker;
  }

  /** Returns the instance that serves all files whose ranks have this time. */
  static ProgressThread engine(Ticker ticker) {
    return ENGINES.computeIfAbsent(ticker, time -> new ProgressThread("progress engine", time));
  }

  /** Advances a lane until it has no transfer in progress. */
  void serve(TransferLane lane) {
    lanes.add(lane);
    synchronized (this) {
      if (thread == null) {
        thread = ticker.newThread(name, this::run);
        thread.start();
      }
      ticker.unpark(thread);
    }
  }

  /** Wakes the thread to try again. */
  synchronized void wake() {
    ticker.unpark(thread);
  }

  private void run() {
    Backoff backoff = new Backoff(ticker);
    long idleSince = ticker.nanoTime();
    while (true) {
      boolean moved = false;
      boolean needed = false;
      boolean awaited = false;
      for (TransferLane lane : lanes) {
        if (lane.isAwaited()) {
          awaited = true;
        } else {
          Found found = helped(lane);
          moved |= found == Found.PROGRESS;
          needed |= found == Found.NO_PROGRESS;
        }
        leaveIfIdle(lane);
      }
      if (lanes.isEmpty()) {
        if (ticker.nanoTime() - idleSince > LINGER_NANOS && leaves()) {
          return;
        }
        ticker.parkNanos(this, LINGER_NANOS);
        continue;
      }
      idleSince = ticker.nanoTime();
      if (moved) {
        backoff.reset();
      } else if (needed) {
        backoff.pause();
      } else {
        ticker.parkNanos(this, awaited ? AWAITED_NANOS : WORKING_NANOS);
      }
    }
  }

  private enum Found {
    PROGRESS,
    NO_PROGRESS,
    WORK_OF_OTHERS
  }

  /** Advances the transfers of a lane. Other lanes must go on, whatever goes wrong in this one. */
  private static Found helped(TransferLane lane) {
    try {
      if (lane.help()) {
        return Found.PROGRESS;
      }
      return lane.isLeftToWorkers() ? Found.WORK_OF_OTHERS : Found.NO_PROGRESS;
    } catch (RuntimeException | Error broken) {
      lane.fail(broken);
      return Found.PROGRESS;
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
