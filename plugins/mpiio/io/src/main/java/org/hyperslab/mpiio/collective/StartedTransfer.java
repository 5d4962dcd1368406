package org.hyperslab.mpiio.collective;

import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * A transfer that has been started and goes on when it is asked.
 *
 * <p>Thread rule: one thread at a time; the calling thread communicates.
 */
public final class StartedTransfer {

  /**
   * What a transfer needs from outside; see {@link CollectiveIo#helpers}.
   *
   * @param tag that of its messages
   * @param workers carry out requests to the file; null if only the calling thread may touch the
   *     memory
   * @param changed told from a worker when it is worth asking the transfer again
   * @param atomic a lock that the transfer holds over the whole of its extents, and closes at its
   *     end; null for none. Every rank passes one or none does.
   */
  public record Helpers(int tag, Executor workers, Runnable changed, FileRangeLock atomic) {}

  private final ProgressingDriver driver;
  private final Function<Throwable, Outcome> end;
  private final LongSupplier allowance;
  private final Supplier<TransferLane.Withdrawal> withdrawal;
  private Outcome outcome;
  private RuntimeException failure;
  private boolean ended;

  /**
   * Creates a transfer.
   *
   * @param driver at the beginning of its schedule
   * @param end called once with what the schedule failed with, or null; frees what the transfer
   *     holds, and tells what was done
   * @param allowance see {@link #allowanceNanos}
   * @param withdrawal ends that other ranks reach into the memory
   */
  StartedTransfer(
      ProgressingDriver driver,
      Function<Throwable, Outcome> end,
      LongSupplier allowance,
      Supplier<TransferLane.Withdrawal> withdrawal) {
    this.withdrawal = withdrawal;
    this.allowance = allowance;
    this.driver = driver;
    this.end = end;
  }

  /**
   * Goes on as far as possible without waiting.
   *
   * @param here whether the caller rather carries out requests to the file itself than have a
   *     worker do so, because it would only wait
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

  /** {@return the ranks with which messages are under way, ascending} */
  public Set<Integer> awaited() {
    return driver.awaited();
  }

  /**
   * Prepares to be given up: no other rank begins to touch the memory from now on.
   *
   * @return whether any still does
   */
  public TransferLane.Withdrawal withdraw() {
    TransferLane.Withdrawal now = withdrawal.get();
    return now == TransferLane.Withdrawal.COMPLETE && driver.exposes()
        ? TransferLane.Withdrawal.UNCERTAIN
        : now;
  }

  /**
   * Gives up: the transfer has ended with a failure. Not while a worker is busy.
   *
   * @param why the failure
   */
  public void abandon(RuntimeException why) {
    if (!ended) {
      driver.abandon(why);
      ended = true;
      finish();
    }
  }

  /**
   * {@return the most time that other ranks may need for the file without sending a message; 0
   * until they have all begun}
   */
  public long allowanceNanos() {
    return allowance.getAsLong();
  }

  /** {@return whether a worker is busy with it} */
  public boolean works() {
    return driver.works();
  }

  /**
   * {@return how many steps were done or started; a number that stays the same tells of waiting}
   */
  public long moves() {
    return driver.moves();
  }

  /**
   * {@return what was done; once it has ended}
   *
   * @throws org.hyperslab.error.HyperslabException what the transfer failed with; of a collective
   *     one, on every rank
   */
  public Outcome outcome() {
    if (failure != null) {
      throw failure;
    }
    return outcome;
  }
}
