package org.hyperslab.plugins.forwarding.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.codec.TransferParts;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Read;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * Divides reads of out-of-line values that a server refuses because they exceed the window: the
 * client does not know the lengths of the values before they have been read. A read is divided only
 * if the client has submitted no edit since, because the parts are carried out after that edit.
 *
 * <p>Thread rule: any thread.
 */
final class OutOfLineReads {

  /** Submits an operation to a server, as a part of another call. */
  @FunctionalInterface
  interface Server {
    /** Returns the outcome; {@code call} is the call that it is a part of. */
    <R> CompletableFuture<R> submit(Operation<R> operation, TrackedFuture<?> call);
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition divided = lock.newCondition();

  /** The number of edits submitted so far. */
  private int edits;

  /** The number of edits that are being submitted; no read is divided meanwhile. */
  private int editing;

  /** The number of reads whose parts are being submitted; edits wait for that. */
  private int dividing;

  /** Returns whether an operation is a read of out-of-line values. */
  static boolean isOne(Operation<?> operation) {
    return operation instanceof Read read && read.transfer().memoryType().hasOutOfLineParts();
  }

  /** Submits an operation other than a read, so that reads before it are not divided any more. */
  <R> R count(Operation<?> operation, Supplier<R> submit) {
    if (!operation.edits() && !operation.flushes() && !operation.closes()) {
      return submit.get();
    }
    lock.lock();
    try {
      edits++;
      editing++;
      while (dividing > 0) {
        divided.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    try {
      return submit.get();
    } finally {
      lock.lock();
      editing--;
      lock.unlock();
    }
  }

  private int edits() {
    lock.lock();
    try {
      return edits;
    } finally {
      lock.unlock();
    }
  }

  /** Runs an action that submits the parts of a read, unless there was an edit since. */
  private boolean divide(int before, Runnable submit) {
    lock.lock();
    try {
      if (edits != before || editing > 0) {
        return false;
      }
      dividing++;
    } finally {
      lock.unlock();
    }
    try {
      submit.run();
      return true;
    } finally {
      lock.lock();
      dividing--;
      divided.signalAll();
      lock.unlock();
    }
  }

  /** Submits a read, and submits it again in halves if its values exceed the window. */
  CompletableFuture<Void> submit(Read read, Server server) {
    TrackedFuture<Void> whole = new TrackedFuture<>();
    TrackedFuture<Void> attempts = new TrackedFuture<>();
    attempts.exceptionally(_ -> null); // a failure that another attempt follows is not reported
    Attempt attempt = new Attempt(server, attempts, edits(), new AtomicReference<>());
    CompletableFuture<Void> first = server.submit(read, attempts);
    WindowPieces.cancelWith(whole, List.of(first));
    attempt.follow(read, first, whole);
    return whole;
  }

  /** The read of a call, which may be divided while the count of edits has not changed. */
  private final class Attempt {
    private final Server server;
    private final TrackedFuture<?> call;
    private final int before;
    private final AtomicReference<Dataspace> extent;

    Attempt(Server server, TrackedFuture<?> call, int before, AtomicReference<Dataspace> extent) {
      this.server = server;
      this.call = call;
      this.before = before;
      this.extent = extent;
    }

    /** Completes a future with the outcome of a read, or of its halves. */
    void follow(Read read, CompletableFuture<Void> sent, TrackedFuture<Void> outcome) {
      TrackedFuture.watch(
          sent,
          (done, failure) -> {
            Throwable cause = failure == null ? null : Connectors.causeOf(failure);
            if (cause == null || outcome.isDone() || !mayDivide(read, cause)) {
              outcome.follow(null, cause);
              return;
            }
            TrackedFuture.watch(
                knownExtent(read),
                (space, unknown) -> {
                  if (unknown != null || !divide(read, space, outcome)) {
                    outcome.follow(null, cause);
                  }
                });
          });
    }

    private boolean mayDivide(Read read, Throwable cause) {
      return edits() == before
          && count(read) > 1
          && !read.target().heap().isExhausted()
          && cause instanceof LimitExceededException;
    }

    private static long count(Read read) {
      Transfer transfer = read.transfer();
      return transfer.memorySelection().elementCount(transfer.memorySpace().dims());
    }

    private CompletableFuture<Dataspace> knownExtent(Read read) {
      Dataspace known = extent.get();
      return known != null
          ? CompletableFuture.completedFuture(known)
          : server
              .submit(new DatasetOperation.Describe(read.dataset()), call)
              .thenApply(DatasetInfo::space)
              .thenApply(space -> {
                extent.set(space);
                return space;
              });
    }

    /** Submits both halves of a read; returns false if an edit has been submitted since. */
    private boolean divide(Read read, Dataspace space, TrackedFuture<Void> outcome) {
      Transfer transfer = read.transfer();
      long half = (count(read) + 1) / 2 * transfer.memoryType().size();
      List<Read> halves =
          TransferParts.of(transfer, space.dims(), half).stream()
              .map(part -> new Read(read.dataset(), part, read.target()))
              .toList();
      return OutOfLineReads.this.divide(before, () -> submitAll(halves, outcome));
    }

    private void submitAll(List<Read> halves, TrackedFuture<Void> outcome) {
      AtomicInteger left = new AtomicInteger(halves.size());
      AtomicReference<Throwable> failed = new AtomicReference<>();
      for (Read part : halves) {
        TrackedFuture<Void> own = new TrackedFuture<>();
        CompletableFuture<Void> sent = server.submit(part, call);
        WindowPieces.cancelWith(outcome, List.of(sent));
        follow(part, sent, own);
        TrackedFuture.watch(
            own,
            (done, failure) -> {
              if (failure != null) {
                failed.compareAndSet(null, Connectors.causeOf(failure));
              }
              if (left.decrementAndGet() == 0) {
                outcome.follow(null, failed.get());
              }
            });
      }
    }
  }
}
