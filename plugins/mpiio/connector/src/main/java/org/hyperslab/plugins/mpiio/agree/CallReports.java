package org.hyperslab.plugins.mpiio.agree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.agree.CallReply.Verdict;

/**
 * Reports the calls of the other ranks to rank 0: each sends its calls in order, several in one
 * message or each at once. Ranks that have made more calls than rank 0 need not wait for it, nor it
 * for them, until an answer is needed.
 *
 * <p>Thread rule: one thread at a time.
 */
final class CallReports implements AutoCloseable {

  /**
   * The greatest number of questions in one message; with the facts of one question it stays below
   * 4 KiB.
   */
  static final int MAX_QUESTIONS = 100;

  /** The maximum number of facts in one question of a message. */
  static final int MAX_FACTS = 16;

  private static final int MAX_LONGS = MAX_QUESTIONS * PendingCall.HEAD_LONGS + MAX_FACTS;
  private static final int TAG = 4710;
  private static final int REASON_TAG = 4711;
  private static final int LONGEST_REASON = 1024;

  private final Communicator comm;
  private final long deadlineNanos;
  private final ArrayDeque<long[]>[] heard;

  /** On rank 0: the next message of each rank, if a receive of it has been started; or null. */
  private final Request[] coming;

  /** The memory for the next message of each rank; null until it is first needed. */
  private final long[][] memory;

  /** On other ranks: messages that may not have left yet. */
  private final List<Request> leaving = new ArrayList<>();

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of queues
  CallReports(Communicator comm, long deadlineNanos) {
    this.comm = comm;
    this.deadlineNanos = deadlineNanos;
    this.heard = new ArrayDeque[comm.size()];
    Arrays.setAll(heard, rank -> new ArrayDeque<>());
    this.coming = new Request[comm.size()];
    this.memory = new long[comm.size()][];
  }

  /** Sends calls of this rank, on all ranks but rank 0. Does not wait for rank 0. */
  void send(Collection<PendingCall> questions) {
    int longs = 0;
    for (PendingCall each : questions) {
      longs += PendingCall.HEAD_LONGS + each.facts().length;
    }
    long[] message = new long[longs];
    int at = 0;
    for (PendingCall each : questions) {
      long[] encoded = each.encoded();
      System.arraycopy(encoded, 0, message, at, encoded.length);
      at += encoded.length;
    }
    leaving.removeIf(Request::test);
    Request sent = comm.startSend(MemorySegment.ofArray(message), 0, TAG);
    if (!sent.test()) {
      leaving.add(sent);
    }
  }

  /**
   * Returns, on rank 0, whether every other rank has announced its next call. Does not wait. Rank 0
   * asks only when it has made a call itself, so that each rank will announce one.
   */
  boolean hasHeardAll() {
    boolean all = true;
    for (int rank = 1; rank < heard.length; rank++) {
      if (heard[rank].isEmpty() && message(rank).test()) {
        take(rank);
      }
      all &= !heard[rank].isEmpty();
    }
    return all;
  }

  private Request message(int rank) {
    if (coming[rank] == null) {
      memory[rank] = memory[rank] == null ? new long[MAX_LONGS] : memory[rank];
      coming[rank] = comm.startReceive(MemorySegment.ofArray(memory[rank]), rank, TAG);
    }
    return coming[rank];
  }

  /** Takes the calls out of a message that has come. */
  private void take(int rank) {
    long bytes = coming[rank].await();
    coming[rank] = null;
    long[] message = memory[rank];
    int at = 0;
    while (8L * at < bytes) {
      int end = at + PendingCall.HEAD_LONGS + Math.toIntExact(message[at]);
      heard[rank].add(Arrays.copyOfRange(message, at, end));
      at = end;
    }
  }

  /**
   * Waits until all ranks have announced their next call, and compares it with that of rank 0; on
   * rank 0 only.
   *
   * @param least receives the minimum of each fact
   */
  Verdict judge(PendingCall mine, long[] least) {
    long[] own = mine.encoded();
    boolean same = true;
    boolean sound = own[2] == 1;
    for (int rank = 1; rank < heard.length; rank++) {
      long[] theirs = next(rank);
      boolean alike = theirs[0] == own[0] && theirs[1] == own[1];
      same &= alike;
      sound &= theirs[2] == 1;
      for (int i = 0; alike && i < least.length; i++) {
        least[i] = Math.min(least[i], theirs[PendingCall.HEAD_LONGS + i]);
      }
    }
    return same ? sound ? Verdict.AGREED : Verdict.FAILED : Verdict.DIFFERENT;
  }

  /**
   * Determines which ranks have not arrived, and informs the others.
   *
   * @param first the rank that was waited for
   */
  private MpiException absent(int first) {
    List<Integer> ranks = new ArrayList<>(List.of(first));
    for (int rank = first + 1; rank < heard.length; rank++) {
      if (heard[rank].isEmpty() && !message(rank).test()) {
        ranks.add(rank);
      }
    }
    String why =
        "actual=nothing has moved for "
            + deadlineNanos / 1_000_000
            + " ms, waiting for "
            + SharedFailure.ranks(ranks)
            + ", expected=every rank makes the same calls in the same order; the hint "
            + Hints.DEADLINE
            + " says how long to wait";
    for (int rank = 1; rank < heard.length; rank++) {
      leaving.add(comm.startSend(MemorySegment.ofArray(why.getBytes(UTF_8)), rank, REASON_TAG));
    }
    return new MpiException("collective call", comm.rank(), MpiException.NO_CODE, why);
  }

  /**
   * Returns, on another rank, the reason that rank 0 has sent for not answering.
   *
   * @param ended what this rank has waited for in vain
   * @param call the call
   */
  MpiException reason(MpiException ended, String call) {
    byte[] text = new byte[LONGEST_REASON];
    Request coming = comm.startReceive(MemorySegment.ofArray(text), 0, REASON_TAG);
    String why = ended.text();
    if (coming.awaitAtMost(deadlineNanos / 2)) {
      why = new String(text, 0, (int) coming.await(), UTF_8);
    } else {
      Request.giveUp(List.of(coming), () -> {});
    }
    return new MpiException(call, comm.rank(), MpiException.NO_CODE, why, ended);
  }

  /** Gives up messages that have not come or left, whose memory may then be freed. */
  @Override
  public void close() {
    Request.giveUpAll(leaving, coming);
  }

  private long[] next(int rank) {
    if (heard[rank].isEmpty()) {
      if (!message(rank).awaitAtMost(deadlineNanos)) {
        throw absent(rank);
      }
      take(rank);
    }
    return heard[rank].remove();
  }
}
