package org.hyperslab.plugins.mpiio;

import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.error.HyperslabException;

/**
 * A collective call of this rank on which the ranks have not agreed yet.
 *
 * @param call what is called
 * @param failure what this rank found wrong with it; null if nothing
 * @param facts numbers of which every rank gets the least, if there is no work
 * @param work what rank 0 does with the least facts once all agree; null if they are the answer
 * @param done hears what became of it, on this rank
 */
record Question(
    ComparedCall call,
    HyperslabException failure,
    long[] facts,
    Function<long[], byte[]> work,
    Consumer<Reply> done) {

  /** Longs before the facts of a question as it travels. */
  static final int HEAD_LONGS = 3;

  /**
   * The outcome of a question.
   *
   * @param answer what rank 0 said; null if it failed
   * @param failure what it failed with, on all ranks; null if it did not
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

  /** As it travels: how many facts, the call's digest, 1 if nothing is wrong, the facts. */
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
