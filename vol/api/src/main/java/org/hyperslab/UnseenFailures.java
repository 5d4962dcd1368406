package org.hyperslab;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.TrackedFuture;

/**
 * The edits of one file that a program started without waiting, and that failed or may still fail.
 * The next flush or close of the file fails with the failures that nobody has seen: whose futures
 * were neither waited for nor given an action. Connectors that keep such failures themselves return
 * a {@link TrackedFuture} that says so, and are left to do so.
 *
 * <p>Thread rule: any thread.
 */
final class UnseenFailures {

  /**
   * How many failures are kept at most; a flush that has this many to report omits further ones.
   */
  private static final int MOST = 256;

  private final Set<TrackedFuture<?>> pending = new LinkedHashSet<>();
  private final Deque<TrackedFuture<?>> failed = new ArrayDeque<>();

  /** Returns the future that a program gets for an edit which has been started. */
  <R> CompletableFuture<R> edit(CompletableFuture<R> call) {
    if (call.isDone() && !call.isCompletedExceptionally()) {
      return call;
    }
    if (call instanceof TrackedFuture<R> tracked) {
      if (!tracked.isReportedByConnector()) {
        synchronized (this) {
          pending.add(tracked);
        }
        TrackedFuture.watch(tracked, (_, _) -> completed(tracked));
      }
      return call;
    }
    TrackedFuture<R> told = new TrackedFuture<>();
    synchronized (this) {
      pending.add(told);
    }
    // Cancelling it cancels the call, which gives the caller's buffers back.
    TrackedFuture.watch(
        told,
        (_, _) -> {
          if (told.isCancelled()) {
            call.cancel(true);
          }
        });
    call.whenComplete((result, failure) -> {
      told.follow(result, Connectors.causeOf(failure));
      completed(told);
    });
    return told;
  }

  private synchronized void completed(TrackedFuture<?> told) {
    if (!pending.remove(told) || !isUnseen(told)) {
      return;
    }
    if (failed.size() == MOST) {
      failed.removeIf(TrackedFuture::isObserved);
    }
    if (failed.size() < MOST) {
      failed.add(told);
    }
  }

  private static boolean isUnseen(TrackedFuture<?> told) {
    return told.isCompletedExceptionally() && !told.isCancelled() && !told.isObserved();
  }

  /**
   * Returns a future that completes as a flush or close does, or fails with what nobody has seen.
   *
   * @param flush the flush or close, which the connector completes after all edits before it
   */
  <R> CompletableFuture<R> reportedBy(CompletableFuture<R> flush) {
    if (isEmpty()) {
      return flush;
    }
    return flush.handle((result, failure) -> {
      Throwable whole = with(Connectors.causeOf(failure));
      if (whole != null) {
        throw new CompletionException(whole);
      }
      return result;
    });
  }

  private synchronized boolean isEmpty() {
    return pending.isEmpty() && failed.isEmpty();
  }

  /** Returns the first failure, with the others suppressed in it; null if there is none. */
  private Throwable with(Throwable failure) {
    Deque<Throwable> all = new ArrayDeque<>(take());
    if (failure != null) {
      all.addFirst(failure);
    }
    Throwable first = all.pollFirst();
    if (all.isEmpty() || !(first instanceof HyperslabException typed)) {
      return first;
    }
    // Others may know the failure itself, which is not changed.
    HyperslabException whole = typed.withMessage(typed.getMessage());
    all.forEach(whole::addSuppressed);
    return whole;
  }

  private synchronized List<Throwable> take() {
    failed.addAll(pending.stream().filter(TrackedFuture::isDone).toList());
    List<Throwable> unseen = new ArrayList<>();
    for (TrackedFuture<?> told : failed) {
      pending.remove(told);
      if (isUnseen(told)) {
        unseen.add(told.exceptionNow());
      }
    }
    failed.clear();
    return unseen;
  }
}
