package org.hyperslab.plugins.mpiio.agree;

import java.util.concurrent.ExecutionException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.vol.TrackedFuture;

/**
 * The future of a collective transfer that continues while the rank does other work. A thread that
 * waits for it advances the transfer. It cannot be cancelled, because other ranks take part.
 *
 * <p>Thread rule: any thread.
 */
public final class StartedFuture extends TrackedFuture<Void> {

  private volatile TransferLane.Ongoing<Void> ongoing;

  /** Sets the started transfer, which may have ended already. */
  public void follows(TransferLane.Ongoing<Void> started) {
    ongoing = started;
    check();
  }

  /** Completes if the transfer has ended. */
  public void check() {
    TransferLane.Ongoing<Void> started = ongoing;
    if (started == null || !started.test() || isDone()) {
      return;
    }
    try {
      started.await();
      complete(null);
    } catch (RuntimeException failure) {
      completeExceptionally(SharedFailure.typed(failure, "transfer"));
    }
  }

  private void help() {
    if (!isDone() && ongoing != null) {
      try {
        ongoing.await();
      } catch (HyperslabException told) {
        // The future holds the failure.
      }
      check();
    }
  }

  /** Returns whether the outcome has been reported. */
  public boolean isSettled() {
    return isDone() && (isObserved() || !isCompletedExceptionally());
  }

  /** Returns the failure if it has not been reported; otherwise null. */
  public HyperslabException unheardFailure() {
    check();
    return isDone() && isCompletedExceptionally() && !isObserved()
        ? SharedFailure.typed(super.exceptionNow(), "transfer")
        : null;
  }

  @Override
  public Void join() {
    help();
    return super.join();
  }

  @Override
  public Void get() throws InterruptedException, ExecutionException {
    help();
    return super.get();
  }

  /** Does nothing: other ranks take part, and the memory is in use until the transfer ends. */
  @Override
  public boolean cancel(boolean mayInterrupt) {
    return false;
  }
}
