package org.hyperslab.mpiio.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.hyperslab.mpiio.comm.PutWindow;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.waiting.Ticker;

/** A wait for an epoch of a window, which looks at the numbers in it. */
final class EpochWait implements Request {

  private static final int QUICK_LOOKS = 64;
  private static final long PAUSE_NANOS = 50_000;

  private final IntPredicate reached;

  /** The ranks that have not been seen there. */
  private final List<Integer> missing;

  private final Ticker ticker;

  private EpochWait(List<Integer> ranks, Ticker ticker, IntPredicate reached) {
    this.ticker = ticker;
    this.missing = new ArrayList<>(ranks);
    this.reached = reached;
  }

  static EpochWait ofFences(PutWindow window, Step.AwaitFences await, Ticker ticker) {
    return new EpochWait(await.sources(), ticker, rank -> window.fenced(rank) >= await.epoch());
  }

  static EpochWait ofExposure(PutWindow window, Step.AwaitExposure await, Ticker ticker) {
    int target = await.target();
    return new EpochWait(List.of(target), ticker, rank -> window.exposed(rank) >= await.epoch());
  }

  /** Returns the ranks that have not reached the epoch. */
  List<Integer> awaitedRanks() {
    missing.removeIf(reached::test);
    return List.copyOf(missing);
  }

  @Override
  public boolean test() {
    while (!missing.isEmpty()) {
      if (!reached.test(missing.getLast())) {
        return false;
      }
      missing.removeLast();
    }
    return true;
  }

  @Override
  public long await() {
    for (int looks = 0; !test(); looks++) {
      if (looks < QUICK_LOOKS) {
        Thread.yield();
      } else {
        ticker.parkNanos(this, PAUSE_NANOS);
      }
    }
    return 0;
  }
}
