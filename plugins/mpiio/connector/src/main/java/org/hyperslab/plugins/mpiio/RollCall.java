package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.plugins.mpiio.Answer.Verdict;

/**
 * Reports the calls of the other ranks to rank 0: each sends its calls in order, several in one
 * message. Ranks that are ahead of rank 0 need not wait for it, nor it for them, until an answer is
 * needed.
 *
 * <p>Thread rule: one thread at a time.
 */
final class RollCall {

  /**
   * The greatest number of questions in one message; with the facts of one question it stays below
   * 4 KiB.
   */
  static final int MOST_QUESTIONS = 100;

  /** The maximum number of facts in one question of a message. */
  static final int MOST_FACTS = 16;

  private static final int MOST_LONGS = MOST_QUESTIONS * Question.HEAD_LONGS + MOST_FACTS;
  private static final int TAG = 4710;

  private final Communicator comm;
  private final ArrayDeque<long[]>[] heard;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of queues
  RollCall(Communicator comm) {
    this.comm = comm;
    this.heard = new ArrayDeque[comm.size()];
    Arrays.setAll(heard, rank -> new ArrayDeque<>());
  }

  /**
   * Sends this rank's calls, on all ranks but rank 0. All must be answered before the next message.
   */
  void tell(Collection<Question> questions) {
    long[] message = new long[MOST_LONGS];
    int longs = 0;
    for (Question each : questions) {
      long[] encoded = each.encoded();
      System.arraycopy(encoded, 0, message, longs, encoded.length);
      longs += encoded.length;
    }
    comm.send(MemorySegment.ofArray(message).asSlice(0, 8L * longs), 0, TAG);
  }

  /** Returns, on rank 0, whether every other rank has announced its next call. */
  boolean hasHeardAll() {
    for (int rank = 1; rank < heard.length; rank++) {
      if (heard[rank].isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Waits until all ranks have announced their next call, and compares it with that of rank 0; on
   * rank 0 only.
   *
   * @param least receives the minimum of each fact
   */
  Verdict judge(Question mine, long[] least) {
    long[] own = mine.encoded();
    boolean same = true;
    boolean sound = own[2] == 1;
    for (int rank = 1; rank < heard.length; rank++) {
      long[] theirs = next(rank);
      boolean alike = theirs[0] == own[0] && theirs[1] == own[1];
      same &= alike;
      sound &= theirs[2] == 1;
      for (int i = 0; alike && i < least.length; i++) {
        least[i] = Math.min(least[i], theirs[Question.HEAD_LONGS + i]);
      }
    }
    return same ? sound ? Verdict.AGREED : Verdict.FAILED : Verdict.DIFFERENT;
  }

  private long[] next(int rank) {
    if (heard[rank].isEmpty()) {
      long[] message = new long[MOST_LONGS];
      long bytes = comm.receive(MemorySegment.ofArray(message), rank, TAG);
      int at = 0;
      while (8L * at < bytes) {
        int end = at + Question.HEAD_LONGS + Math.toIntExact(message[at]);
        heard[rank].add(Arrays.copyOfRange(message, at, end));
        at = end;
      }
    }
    return heard[rank].remove();
  }
}
