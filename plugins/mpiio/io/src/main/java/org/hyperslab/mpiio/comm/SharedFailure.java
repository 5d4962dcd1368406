package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;

/**
 * Makes the failure of one rank the failure of all ranks. The lowest failed rank decides: every
 * rank throws an exception of the same type and text, followed by the ranks that failed, as in
 * {@code (on ranks 1, 3 of 8)}. On the deciding rank, the cause is its own exception.
 *
 * <p>Thread rule: stateless; the communicator's rule applies.
 */
public final class SharedFailure {

  private static final int MAX_RANKS_NAMED = 8;

  private SharedFailure() {}

  /**
   * Converts a throwable to a typed failure.
   *
   * @param failure the throwable
   * @param what the operation that failed, for the message
   * @return the failure of {@link HyperslabException#of}
   */
  public static HyperslabException typed(Throwable failure, String what) {
    return HyperslabException.of(failure, what);
  }

  /**
   * Throws on every rank if any rank failed. Collective; costs one reduction if none did.
   *
   * @param comm the ranks
   * @param mine the failure of this rank; null if it did not fail
   * @throws HyperslabException the shared failure
   */
  public static void throwIfAny(Communicator comm, HyperslabException mine) {
    long[] sound = {mine == null ? 1 : 0};
    comm.allReduce(sound, Reduction.MIN);
    if (sound[0] == 0) {
      throw of(comm, mine);
    }
  }

  /**
   * Returns the failure that all ranks report. Collective; called when every rank knows that at
   * least one has failed.
   *
   * @param comm the ranks
   * @param mine the failure of this rank; null if it did not fail
   * @return the shared failure
   * @throws MpiException if no rank has failed
   */
  public static HyperslabException of(Communicator comm, HyperslabException mine) {
    List<Integer> failed = failed(comm, mine != null);
    int first = failed.getFirst();
    boolean decides = first == comm.rank();
    byte[] told = comm.broadcastBytes(decides ? encode(mine) : null, first);
    return shared(failed, comm.size(), told, decides, mine);
  }

  /**
   * Returns the failure that all ranks report, if every rank already has the failures of all
   * others.
   *
   * @param told the {@linkplain #encode encoded} failure of each rank; empty if it did not fail
   * @param rank this rank's number
   * @param mine the failure of this rank; null if it did not fail
   * @return the shared failure
   * @throws MpiException if no rank has failed
   */
  public static HyperslabException of(byte[][] told, int rank, HyperslabException mine) {
    boolean[] flags = new boolean[told.length];
    for (int i = 0; i < told.length; i++) {
      flags[i] = told[i].length > 0;
    }
    List<Integer> failed = failed(flags);
    return shared(failed, told.length, told[failed.getFirst()], failed.getFirst() == rank, mine);
  }

  private static HyperslabException shared(
      List<Integer> failed, int size, byte[] told, boolean decides, HyperslabException mine) {
    String ranks = " (on " + ranks(failed) + " of " + size + ")";
    if (decides) {
      return FailureRecord.of(mine).withTextBehind(ranks).exception(mine);
    }
    List<FailureRecord> chain = FailureRecord.decode(told);
    chain.set(0, chain.getFirst().withTextBehind(ranks));
    return FailureRecord.exception(chain);
  }

  private static List<Integer> failed(Communicator comm, boolean mine) {
    long[] flags = new long[comm.size()];
    comm.allGather(MemorySegment.ofArray(new long[] {mine ? 1 : 0}), MemorySegment.ofArray(flags));
    boolean[] all = new boolean[flags.length];
    for (int rank = 0; rank < flags.length; rank++) {
      all[rank] = flags[rank] != 0;
    }
    return failed(all);
  }

  private static List<Integer> failed(boolean[] flags) {
    List<Integer> failed = new ArrayList<>();
    for (int rank = 0; rank < flags.length; rank++) {
      if (flags[rank]) {
        failed.add(rank);
      }
    }
    if (failed.isEmpty()) {
      throw new MpiException(
          "shared failure",
          MpiException.NO_RANK,
          MpiException.NO_CODE,
          "ranks that failed: actual=none, expected=at least one");
    }
    return failed;
  }

  /**
   * Formats ranks for a message.
   *
   * @param ranks at least one rank, ascending
   * @return a text such as {@code "rank 3"} or {@code "ranks 0, 1, 2"}; of many ranks, the first
   *     eight and the number of the others
   */
  public static String ranks(List<Integer> ranks) {
    StringJoiner text = new StringJoiner(", ", ranks.size() == 1 ? "rank " : "ranks ", "");
    for (int rank : ranks.subList(0, Math.min(MAX_RANKS_NAMED, ranks.size()))) {
      text.add(Integer.toString(rank));
    }
    int more = ranks.size() - MAX_RANKS_NAMED;
    return text + (more > 0 ? " and " + more + " more" : "");
  }

  /**
   * Encodes a failure and its causes for another rank.
   *
   * @param failure the failure
   * @return the bytes, for {@link #decode}
   */
  public static byte[] encode(HyperslabException failure) {
    return FailureRecord.encode(failure);
  }

  /**
   * Decodes a failure of another rank. It has the type and text of the original; causes of types
   * other than {@link HyperslabException} become a {@link org.hyperslab.error.RemoteException} with
   * their text.
   *
   * @param bytes the bytes that {@link #encode} returned
   * @return the failure
   * @throws MpiException if the bytes are not a failure
   */
  public static HyperslabException decode(byte[] bytes) {
    return FailureRecord.exception(FailureRecord.decode(bytes));
  }
}
