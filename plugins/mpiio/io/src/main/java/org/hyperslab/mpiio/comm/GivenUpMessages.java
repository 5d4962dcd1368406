package org.hyperslab.mpiio.comm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.hyperslab.error.HyperslabException;

/**
 * The messages of this process that have been given up, and what is to be freed when nobody
 * accesses their memory any more.
 *
 * <p>Messages are cancelled; most end by that. The others are kept here, so that their memory stays
 * reachable, and tested again: a message that is being delivered, and a send of MPI, which cannot
 * be cancelled and ends only if it is received.
 *
 * <p>Thread rule: safe; for threads that may communicate.
 */
final class GivenUpMessages {

  private static final Queue<Kept> KEPT = new ConcurrentLinkedQueue<>();

  /** Messages, or other actions, that have not ended, and what to do when they have. */
  private record Kept(List<BooleanSupplier> tests, Runnable ended) {

    boolean hasEnded() {
      tests.removeIf(GivenUpMessages::holds);
      return tests.isEmpty();
    }
  }

  private GivenUpMessages() {}

  /** Gives up messages, as {@link Request#giveUp} describes. */
  static void add(Collection<? extends Request> messages, Runnable ended) {
    if (messages.isEmpty()) {
      ended.run();
      return;
    }
    List<BooleanSupplier> tests = new ArrayList<>();
    for (Request message : messages) {
      cancel(message);
      tests.add(message::test);
    }
    keep(new Kept(tests, ended));
  }

  /** Tries an action until it succeeds, as {@link Request#tryUntilDone} describes. */
  static void tryUntilDone(BooleanSupplier action) {
    keep(new Kept(new ArrayList<>(List.of(action)), () -> {}));
  }

  private static void keep(Kept kept) {
    KEPT.add(kept);
    test();
  }

  /** Tests the kept messages without waiting, as {@link Request#testGivenUp} describes. */
  static void test() {
    for (int left = KEPT.size(); left > 0; left--) {
      Kept kept = KEPT.poll(); // only one thread may use a request at a time
      if (kept == null) {
        return;
      }
      boolean ended = false;
      try {
        ended = kept.hasEnded();
      } finally {
        if (!ended) {
          KEPT.add(kept);
        }
      }
      if (ended) {
        kept.ended.run();
      }
    }
  }

  private static void cancel(Request message) {
    try {
      message.cancel();
    } catch (HyperslabException refused) {
      // It is tested like one that cannot be cancelled.
    }
  }

  /** A failed message has ended, too. */
  private static boolean holds(BooleanSupplier test) {
    try {
      return test.getAsBoolean();
    } catch (HyperslabException failed) {
      return true;
    }
  }
}
