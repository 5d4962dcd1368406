package org.hyperslab.mpiio.collective;

import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.driver.ProgressingDriver;
import org.hyperslab.mpiio.store.FileRangeLock;

/**
 * A transfer that has been started and advances when it is called.
 *
 * <p>Thread rule: one thread at a time; the calling thread communicates.
 */
public final class StartedTransfer {

  /**
   * The resources of a transfer; see {@link CollectiveIo#helpers}.
   *
   * @param tag the tag of its messages
   * @param workers execute requests to the file, and may wait for locks that other transfers of
   *     this rank hold, so that they must not be the rank's thread; null if only the calling thread
   *     may touch the memory
   * @param changed called from a worker when the transfer can make progress
   * @param atomic a lock that the transfer holds over the whole of its extents, and closes at its
   *     end; null for none. Every rank passes one or none does.
   */
  public record Helpers(int tag, Executor workers, Runnable changed, FileRangeLock atomic) {}

  /** A transfer as a lane advances it, which a function ends. */
  private record InLane<R>(StartedTransfer started, Supplier<R> finish, Runnable untouched)
      implements TransferLane.Moving<R> {

    @Override
    public boolean advance(boolean here) {
      return started.advance(here);
    }

    @Override
    public long moves() {
      return started.moves();
    }

    @Override
    public boolean works() {
      return started.works();
    }

    @Override
    public boolean reports() {
      return started.driver.isWithWorker();
    }

    @Override
    public Set<Integer> awaitedRanks() {
      return started.awaitedRanks();
    }

    @Override
    public long allowanceNanos() {
      return started.allowanceNanos();
    }

    @Override
    public TransferLane.Withdrawal withdraw() {
      return started.withdraw();
    }

    @Override
    public void abandon(RuntimeException why) {
      started.abandon(why, untouched);
    }

    @Override
    public R end() {
      return finish.get();
    }
  }

  private final ProgressingDriver driver;
  private final Function<Throwable, CollectiveOutcome> end;
  private final LongSupplier allowance;
  private final Supplier<TransferLane.Withdrawal> withdrawal;
  private CollectiveOutcome outcome;
  private RuntimeException failure;
  private boolean ended;

  /**
   * Creates a transfer.
   *
   * @param driver the driver, at the beginning of its schedule
   * @param end called once with the failure of the schedule, or null; frees the resources of the
   *     transfer and returns the outcome
   * @param allowance see {@link #allowanceNanos}
   * @param withdrawal stops accesses of other ranks to the memory
   */
  StartedTransfer(
      ProgressingDriver driver,
      Function<Throwable, CollectiveOutcome> end,
      LongSupplier allowance,
      Supplier<TransferLane.Withdrawal> withdrawal) {
    this.withdrawal = withdrawal;
    this.allowance = allowance;
    this.driver = driver;
    this.end = end;
  }

  /**
   * Makes the transfer a lane's.
   *
   * @param <R> the type of the result
   * @param finish called once, when the transfer has ended; returns the result, or throws the
   *     failure of {@link #outcome}
   * @return the transfer, to be started in a lane
   */
  public <R> TransferLane.Moving<R> inLane(Supplier<R> finish) {
    return inLane(finish, () -> {});
  }

  /**
   * Makes the transfer a lane's, as {@link #inLane(Supplier)} does.
   *
   * @param <R> the type of the result
   * @param finish called once, when the transfer has ended; returns the result, or throws the
   *     failure of {@link #outcome}
   * @param untouched called instead if the transfer is abandoned, once no message accesses its
   *     memory any more
   * @return the transfer, to be started in a lane
   */
  public <R> TransferLane.Moving<R> inLane(Supplier<R> finish, Runnable untouched) {
    return new InLane<>(this, finish, untouched);
  }

  /**
   * Advances as far as possible without waiting.
   *
   * @param here whether the caller executes requests to the file itself instead of a worker,
   *     because it would only wait
   * @return whether the transfer has ended
   */
  public boolean advance(boolean here) {
    if (!ended && driver.advance(here)) {
      ended = true;
      finish();
    }
    return ended;
  }

  private void finish() {
    Throwable why = driver.failure();
    failure = why == null ? null : SharedFailure.typed(why, "transfer");
    try {
      outcome = end.apply(why);
    } catch (RuntimeException e) {
      failure = failure == null ? e : failure;
    }
  }

  /** {@return the ranks with which messages are in flight, ascending} */
  public Set<Integer> awaitedRanks() {
    return driver.awaitedRanks();
  }

  /**
   * Prepares to abandon the transfer: stops new accesses of other ranks to the memory.
   *
   * @return whether other ranks still access it
   */
  public TransferLane.Withdrawal withdraw() {
    TransferLane.Withdrawal now = withdrawal.get();
    return now == TransferLane.Withdrawal.COMPLETE && driver.exposes()
        ? TransferLane.Withdrawal.UNCERTAIN
        : now;
  }

  /**
   * Abandons the transfer, which ends with a failure. Must not be called while a worker is busy.
   *
   * @param why the failure
   * @param untouched called once no message accesses the memory any more
   */
  public void abandon(RuntimeException why, Runnable untouched) {
    if (!ended) {
      driver.abandon(why, untouched);
      ended = true;
      finish();
    }
  }

  /**
   * {@return the greatest time that other ranks may need for the file without sending a message; 0
   * until all have begun}
   */
  public long allowanceNanos() {
    return allowance.getAsLong();
  }

  /** {@return whether a worker is busy with it} */
  public boolean works() {
    return driver.works();
  }

  /** {@return the number of steps done or started; a change shows progress} */
  public long moves() {
    return driver.moves();
  }

  /**
   * {@return the outcome; to be called once the transfer has ended}
   *
   * @throws org.hyperslab.error.HyperslabException the failure of the transfer; for a collective
   *     one, on every rank
   */
  public CollectiveOutcome outcome() {
    if (failure != null) {
      throw failure;
    }
    return outcome;
  }
}
