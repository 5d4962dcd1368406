package org.hyperslab.plugins.mpiio.agree;

import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.error.HyperslabException;

/**
 * A collective call of this rank on which the ranks have not agreed yet.
 *
 * @param call the call
 * @param failure the failure of this rank's check of it; null if there is none
 * @param facts numbers of which every rank gets the minimum, if there is no work
 * @param work the work of rank 0 with the minima once all agree; null if these are the answer
 * @param done receives the outcome, on this rank
 */
record PendingCall(
    ComparedCall call,
    HyperslabException failure,
    long[] facts,
    Function<long[], byte[]> work,
    Consumer<Reply> done) {

  /** The number of longs before the facts of an encoded question. */
  static final int HEAD_LONGS = 3;

  /**
   * The outcome of a question.
   *
   * @param answer the answer of rank 0; null if the call failed
   * @param failure the failure, on all ranks; null if the call did not fail
   */
  record Reply(byte[] answer, HyperslabException failure) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Encodes the question: the number of facts, the call's digest, 1 if it is valid, the facts. */
  long[] encoded() {
    long[] longs = new long[HEAD_LONGS + facts.length];
    longs[0] = facts.length;
    longs[1] = call.digest();
    longs[2] = failure == null ? 1 : 0;
    System.arraycopy(facts, 0, longs, HEAD_LONGS, facts.length);
    return longs;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
