package org.hyperslab.mpiio.comm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;

/**
 * Makes ranks agree in collective calls: on arguments, and on failures.
 *
 * <p>Thread rule: one thread at a time, the communicator's.
 *
 * @param comm the ranks
 */
public record Consensus(Communicator comm) {

  /**
   * Runs a part of a call on each rank.
   *
   * @param <T> the type of the result
   * @param part the part of the call
   * @return what this rank's part returned
   * @throws HyperslabException on all ranks, if the part fails on any
   */
  public <T> T run(Supplier<T> part) {
    T done = null;
    HyperslabException problem = null;
    try {
      done = part.get();
    } catch (RuntimeException | Error e) { // the other ranks wait for this one
      problem = SharedFailure.typed(e, "collective call");
    }
    SharedFailure.throwIfAny(comm, problem);
    return done;
  }

  /**
   * Runs a part of a call on rank 0.
   *
   * @param part the part of the call
   * @throws HyperslabException on all ranks, if the part fails
   */
  public void runOnRoot(Runnable part) {
    run(() -> {
      if (comm.rank() == 0) {
        part.run();
      }
      return null;
    });
  }

  /**
   * Requires that all ranks pass the same argument.
   *
   * @param what the argument, for the message
   * @param mine this rank's value
   * @throws InvalidUseException on all ranks if they differ; it names the first that differs from
   *     rank 0
   */
  public void requireSame(String what, String mine) {
    byte[][] all = comm.allGatherBytes(mine.getBytes(StandardCharsets.UTF_8));
    for (int rank = 1; rank < all.length; rank++) {
      if (!Arrays.equals(all[0], all[rank])) {
        throw new InvalidUseException(
            what
                + ": actual="
                + new String(all[rank], StandardCharsets.UTF_8)
                + " on rank "
                + rank
                + ", expected="
                + new String(all[0], StandardCharsets.UTF_8)
                + " as on rank 0; pass the same on all ranks");
      }
    }
  }
}
