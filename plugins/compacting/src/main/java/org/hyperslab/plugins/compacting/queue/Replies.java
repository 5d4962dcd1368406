package org.hyperslab.plugins.compacting.queue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.vol.Uninterrupted;

/**
 * Gives replies, and tracks whether all requests have been answered.
 *
 * <p>Thread rule: any thread.
 */
final class Replies {

  private final Admission admission;
  private final CompactorTally tally;
  private final AtomicLong unanswered = new AtomicLong();
  private final Object idle = new Object();
  private volatile Consumer<Trace> listener = trace -> {};
  private volatile boolean closed;

  Replies(Admission admission, CompactorTally tally) {
    this.admission = admission;
    this.tally = tally;
  }

  void onTrace(Consumer<Trace> newListener) {
    listener = newListener;
  }

  /** Counts a request that must be answered; returns false, without counting, if closed. */
  boolean expectOne() {
    unanswered.incrementAndGet();
    if (closed) {
      answered();
      return false;
    }
    tally.submitted.increment();
    return true;
  }

  /**
   * Answers a request.
   *
   * @param request the request
   * @param trace the way in which it was handled
   * @param result the result if it succeeded, or null
   * @param failure the failure, or null if it succeeded
   */
  void finish(PendingRequest request, Trace trace, Object result, Throwable failure) {
    if (request.countedBytes() >= 0) {
      admission.leave(request.countedBytes());
    }
    tally.countReply(trace.outcome());
    try {
      listener.accept(trace);
    } finally {
      if (failure == null) {
        request.reply.complete(new Reply(trace, result));
      } else {
        request.reply.completeExceptionally(failure);
      }
      answered();
    }
  }

  /**
   * Gives a reply and lets later requests continue. A failure is reported first, so that a later
   * request, such as a flush, finds it.
   *
   * @param failed whether the reply is a failure
   * @param reply gives the reply
   * @param resume lets later requests continue
   */
  static void inOrder(boolean failed, Runnable reply, Runnable resume) {
    try {
      (failed ? reply : resume).run();
    } finally {
      (failed ? resume : reply).run();
    }
  }

  private void answered() {
    if (unanswered.decrementAndGet() == 0 && closed) {
      synchronized (idle) {
        idle.notifyAll();
      }
    }
  }

  /** Refuses all further requests. */
  void close() {
    closed = true;
  }

  /** Waits until all requests have been answered; called after {@link #close}. */
  void awaitAll() {
    synchronized (idle) {
      Uninterrupted.await(idle, () -> unanswered.get() > 0);
    }
  }
}
