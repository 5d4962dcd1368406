package org.hyperslab.mpiio.driver;

import java.util.Collection;
import java.util.TreeSet;
import org.hyperslab.mpiio.comm.Request;

/**
 * A message in flight, and the rank at its other end.
 *
 * @param request the message
 * @param peer the rank
 * @param exposes whether its bytes are in the caller's memory
 */
record PeerRequest(Request request, int peer, boolean exposes) implements Request {

  /** A message of bytes that the schedule itself owns. */
  PeerRequest(Request request, int peer) {
    this(request, peer, false);
  }

  @Override
  public boolean test() {
    return request.test();
  }

  @Override
  public long await() {
    return request.await();
  }

  @Override
  public void cancel() {
    request.cancel();
  }

  /** Returns the ranks at the other ends of messages, and those that exchanges and puts await. */
  static TreeSet<Integer> ranksOf(Collection<? extends Request> requests) {
    TreeSet<Integer> ranks = new TreeSet<>();
    for (Request request : requests) {
      if (request instanceof PeerRequest expected) {
        ranks.add(expected.peer);
      } else if (request instanceof PendingExchange talk) {
        ranks.addAll(talk.awaitedRanks());
      } else if (request instanceof EpochWait wait) {
        ranks.addAll(wait.awaitedRanks());
      }
    }
    return ranks;
  }
}
