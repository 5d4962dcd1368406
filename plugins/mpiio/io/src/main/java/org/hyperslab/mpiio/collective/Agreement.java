package org.hyperslab.mpiio.collective;

import java.nio.charset.StandardCharsets;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.schedule.Tally;

/** How a collective ends: with the same outcome, or the same error, on every rank. */
final class Agreement {

  private static final int FAILED = Tally.FIELDS;

  private final Communicator comm;

  Agreement(Communicator comm) {
    this.comm = comm;
  }

  /**
   * Adds up what all ranks did. Every rank has finished its part when this returns.
   *
   * @param problem what failed on this rank; null if nothing did
   * @throws HyperslabException on every rank, if anything failed on any: the failure of the lowest
   *     such rank, which it names
   */
  Tally finish(Tally mine, RuntimeException problem) {
    long[] numbers = java.util.Arrays.copyOf(mine.toArray(), Tally.FIELDS + 1);
    numbers[FAILED] = problem == null ? 0 : 1;
    comm.allReduce(numbers, Reduction.SUM);
    if (numbers[FAILED] > 0) {
      throw failure(numbers[FAILED], problem);
    }
    return Tally.of(numbers, 0);
  }

  /** The error that all ranks throw when at least one has a problem; called by every rank. */
  HyperslabException failure(RuntimeException problem) {
    long[] failed = {problem == null ? 0 : 1};
    comm.allReduce(failed, Reduction.SUM);
    return failure(failed[0], problem);
  }

  private HyperslabException failure(long failed, RuntimeException problem) {
    long[] lowest = {problem == null ? Long.MAX_VALUE : comm.rank()};
    comm.allReduce(lowest, Reduction.MIN);
    int rank = (int) lowest[0];
    byte[] told = comm.broadcastBytes(rank == comm.rank() ? encode(problem) : null, rank);
    String text = new String(told, 1, told.length - 1, StandardCharsets.UTF_8);
    String where =
        failed == 1 ? ", at=rank " : ", at=" + failed + " ranks, the first of them rank ";
    String message = text + where + rank + " of " + comm.size();
    return switch (told[0]) {
      case 'S' -> new StorageException(message, problem);
      case 'U' -> new InvalidUseException(message, problem);
      default -> new MpiException("collective transfer", rank, MpiException.NO_CODE, text, problem);
    };
  }

  private static byte[] encode(RuntimeException problem) {
    String kind =
        switch (problem) {
          case StorageException storage -> "S";
          case InvalidUseException use -> "U";
          default -> "M";
        };
    return (kind + problem.getMessage()).getBytes(StandardCharsets.UTF_8);
  }
}
