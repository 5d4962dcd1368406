package org.hyperslab.mpiio.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;

/**
 * What makes a call collective: ranks agree on arguments, and an error on one is an error on all.
 *
 * @param comm the ranks; the caller's thread is the only one that uses it meanwhile
 */
record Together(Communicator comm) {

  /** Carries something out on each rank; throws on all of them if it fails on any. */
  <T> T on(Supplier<T> part) {
    T done = null;
    RuntimeException problem = null;
    try {
      done = part.get();
    } catch (RuntimeException e) {
      problem = e;
    }
    long[] failing = {problem == null ? Long.MAX_VALUE : comm.rank()};
    comm.allReduce(failing, Reduction.MIN);
    if (failing[0] == Long.MAX_VALUE) {
      return done;
    }
    throw failure((int) failing[0], problem);
  }

  /** As {@link #on} on rank 0 alone. */
  void onFirst(Runnable part) {
    on(() -> {
      if (comm.rank() == 0) {
        part.run();
      }
      return null;
    });
  }

  /**
   * Checks that all ranks mean the same.
   *
   * @throws InvalidUseException on all ranks, which names the first that differs from rank 0
   */
  void same(String what, String mine) {
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

  private HyperslabException failure(int rank, RuntimeException problem) {
    byte[] told = comm.broadcastBytes(comm.rank() == rank ? encoded(problem) : null, rank);
    if (problem instanceof HyperslabException mine && comm.rank() == rank) {
      return mine;
    }
    String text = new String(told, 1, told.length - 1, StandardCharsets.UTF_8);
    String message = text + ", on rank " + rank + " of " + comm.size();
    return switch (told[0]) {
      case 'U' -> new InvalidUseException(message, problem);
      case 'N' -> new NotFoundException(message, problem);
      case 'A' -> new AlreadyExistsException(message, problem);
      case 'S' -> new StorageException(message, problem);
      case 'F' -> new UnsupportedFeatureException(message, problem);
      default -> new MpiException("collective call", rank, MpiException.NO_CODE, text, problem);
    };
  }

  private static byte[] encoded(RuntimeException problem) {
    String kind =
        switch (problem) {
          case InvalidUseException e -> "U";
          case NotFoundException e -> "N";
          case AlreadyExistsException e -> "A";
          case StorageException e -> "S";
          case UnsupportedFeatureException e -> "F";
          default -> "M";
        };
    String text = problem instanceof HyperslabException ? problem.getMessage() : problem.toString();
    return (kind + text).getBytes(StandardCharsets.UTF_8);
  }
}
