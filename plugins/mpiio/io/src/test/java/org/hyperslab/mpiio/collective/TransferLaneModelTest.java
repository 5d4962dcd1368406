package org.hyperslab.mpiio.collective;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.Ticker;
import org.hyperslab.testkit.Campaign;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests started transfers of a lane while a rank starts and tests them and the progress engine and
 * a worker advance them: in no interleaving of these threads is a transfer left unfinished, ended
 * twice or reported twice.
 */
@Campaign
@Timeout(600)
final class TransferLaneModelTest {

  private static final int TRANSFERS = 3;
  private static final Hints HINTS = Hints.defaults();

  @Test
  void noInterleavingLosesATransfer() {
    new ModelCheckingOptions()
        .iterations(3)
        .invocationsPerIteration(60)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(Model.class);
  }

  @Test
  void doesNotReportRunningThreads() {
    new StressOptions()
        .iterations(10)
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(Model.class);
  }

  /** A lane without a thread of its own; its threads are what Lincheck interleaves. */
  public static final class Model {
    private final TransferLane lane =
        new TransferLane("lane", TransferLane.Progress.WAIT, HINTS, Ticker.SYSTEM);
    private final AtomicIntegerArray started = new AtomicIntegerArray(TRANSFERS);
    private final AtomicIntegerArray ended = new AtomicIntegerArray(TRANSFERS);
    private final AtomicIntegerArray told = new AtomicIntegerArray(TRANSFERS);
    private final AtomicReferenceArray<TransferLane.Ongoing<String>> ongoing =
        new AtomicReferenceArray<>(TRANSFERS);

    /** Nothing started. */
    public Model() {}

    private void start(int which, boolean write) {
      started.incrementAndGet(which);
      ongoing.set(
          which,
          lane.start(
              new TransferLane.Start<>(
                  true,
                  write,
                  null,
                  () -> new TwoMoves(() -> ended.incrementAndGet(which)),
                  () -> told.incrementAndGet(which))));
    }

    /** A write. */
    @Operation(runOnce = true)
    public void startWrite() {
      start(0, true);
    }

    /** A read, which begins when writes before it have ended. */
    @Operation(runOnce = true)
    public void startRead() {
      start(1, false);
    }

    /** Another write. */
    @Operation(runOnce = true)
    public void startAnother() {
      start(2, true);
    }

    /** Makes a step of the progress engine. */
    @Operation
    public void help() {
      lane.help();
    }

    /** Makes the call of a worker that has completed a step. */
    @Operation
    public void changed() {
      lane.changed();
    }

    /** The rank tests what it has started. */
    @Operation
    public void test() {
      for (int i = 0; i < TRANSFERS; i++) {
        TransferLane.Ongoing<String> access = ongoing.get(i);
        if (access != null) {
          access.test();
        }
      }
    }

    /** After enough calls every transfer has ended and been reported once. */
    @Validate
    public void allHaveEndedOnce() {
      for (int turn = 0; turn < 4 * TRANSFERS; turn++) {
        lane.help();
      }
      require(lane.isIdle(), "idle lane");
      for (int i = 0; i < TRANSFERS; i++) {
        require(ended.get(i) == started.get(i), "one end");
        require(told.get(i) == started.get(i), "one notice");
        TransferLane.Ongoing<String> access = ongoing.get(i);
        require(access == null || access.hasEnded(), "the end is known");
      }
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalStateException(what);
      }
    }
  }

  /** A transfer that ends when it is advanced for the second time. */
  private static final class TwoMoves implements LoneTransfer {
    private final Runnable ending;
    private int moves;

    TwoMoves(Runnable ending) {
      this.ending = ending;
    }

    @Override
    public boolean advance(boolean here) {
      return ++moves == 2;
    }

    @Override
    public long moves() {
      return moves;
    }

    @Override
    public String end() {
      ending.run();
      return "";
    }
  }
}
