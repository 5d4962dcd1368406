package org.hyperslab.mpiio.comm;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/**
 * Makes collective calls for which all ranks meet first, so that a rank that does not come, or
 * makes another call, is an error on the others.
 *
 * <p>Thread rule: one thread at a time, the communicator's.
 */
public final class LimitedCall {

  private final Communicator comm;
  private final Consumer<MpiException> lose;

  /**
   * Prepares collective calls of the given ranks.
   *
   * @param comm the ranks
   * @param lose receives the reason when ranks are given up, so that further calls fail
   */
  public LimitedCall(Communicator comm, Consumer<MpiException> lose) {
    this.comm = comm;
    this.lose = lose;
  }

  /**
   * Makes a call when all ranks have come to it.
   *
   * @param call the routine, and those of its arguments that must be the same on all ranks
   * @param started the number of collective accesses that the ranks have started before
   * @param deadlineNanos how long nothing may move
   * @param body the call
   * @param <T> the type of the result
   * @return what {@code body} returned
   * @throws MpiException if ranks have not come
   * @throws InvalidUseException if ranks make different calls
   */
  public <T> T run(String call, long started, long deadlineNanos, Supplier<T> body) {
    try {
      if (comm.isLost()) { // in declared writes, which the file does not see
        throw new MpiException(
            call,
            comm.rank(),
            MpiException.NO_CODE,
            "actual=other ranks have been given up before, expected=all ranks make the call");
      }
      meet(call, started, deadlineNanos);
      // A rank may come just when the others give it up: the first call behind has a limit too.
      comm.limit(deadlineNanos);
      return body.get();
    } catch (MpiException failed) {
      if (comm.isLost()) {
        lose.accept(failed);
      }
      throw failed;
    } finally {
      comm.limit(0);
    }
  }

  private void meet(String call, long started, long deadlineNanos) {
    try {
      comm.meet(call + " after " + started + " started accesses", deadlineNanos);
    } catch (MpiException givenUp) {
      lose.accept(givenUp);
      throw givenUp;
    } catch (InvalidUseException different) {
      // Nobody knows which of the ranks' next calls belong together.
      String text = different.getMessage();
      lose.accept(new MpiException(call, comm.rank(), MpiException.NO_CODE, text, different));
      throw different;
    }
  }
}
