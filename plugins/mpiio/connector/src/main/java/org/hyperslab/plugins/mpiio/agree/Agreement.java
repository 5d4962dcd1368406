package org.hyperslab.plugins.mpiio.agree;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.agree.CallReply.Verdict;
import org.hyperslab.plugins.mpiio.agree.PendingCall.Reply;

/**
 * Keeps the ranks of a communicator in step. Every method that communicates is collective.
 *
 * <p>If ranks make the same kind of call with different arguments, all fail, and they may continue.
 * If ranks make different kinds of call, they have <i>diverged</i>: it is unknown which of their
 * next calls belong together. From then on every call fails at once, without communication, so that
 * no rank waits forever. The same holds once communication itself has failed.
 *
 * <p>A call whose result is not needed yet may be {@link #defer deferred}: rank 0 is notified at
 * once, and the ranks agree on it, in order, with the next call of this rank that is not deferred,
 * or when this rank {@link #settle settles}. The ranks need not settle at the same points; only the
 * order of calls matters.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class Agreement implements AutoCloseable {

  /** The maximum number of ranks at which rank 0 receives from each of them directly. */
  private static final int FEW_RANKS = 16;

  /**
   * The index of the facts in the numbers that many ranks reduce: after two digests and the success
   * flag.
   */
  private static final int FACTS = 3;

  private static final int LONGEST_TEXT = 600;

  /** The beginnings of kinds of calls that may take rank 0 long. */
  private static final List<String> LONG =
      List.of("flush", "close file", "open file", "create file", "delete", "copy", "read", "write");

  /** Rank 0 answers calls together for at most this part of the deadline in silence. */
  private static final int LATE = 8;

  private final Communicator comm;
  private final long deadlineNanos;
  private final CallReports roll;
  private final ArrayDeque<PendingCall> waiting = new ArrayDeque<>();

  /**
   * On other ranks than 0: how many of the waiting calls, from the first on, were sent to rank 0.
   */
  private int announced;

  private boolean settling;
  private HyperslabException lost;

  /**
   * Creates an agreement of ranks, with messages on a communicator that has no other user
   * meanwhile.
   *
   * @param comm the ranks
   */
  public Agreement(Communicator comm) {
    this(comm, Long.MAX_VALUE);
  }

  /**
   * Keeps these ranks in step, and gives up those that do not come to a call.
   *
   * @param comm the ranks
   * @param deadlineNanos how long a call waits for ranks that do not come, in nanoseconds; {@link
   *     Long#MAX_VALUE} for no limit
   */
  public Agreement(Communicator comm, long deadlineNanos) {
    this.comm = comm;
    this.deadlineNanos = deadlineNanos;
    this.roll = comm.size() <= FEW_RANKS ? new CallReports(comm, deadlineNanos) : null;
  }

  /** {@return the ranks} */
  public Communicator comm() {
    return comm;
  }

  /** {@return whether the ranks have diverged, so that every call fails} */
  public boolean isLost() {
    return lost != null;
  }

  /** Throws if the ranks have diverged. */
  public void requireNoDivergence() {
    if (lost != null) {
      throw divergenceError();
    }
  }

  private InvalidUseException divergenceError() {
    return new InvalidUseException(
        "collective call: actual=the ranks made different calls earlier, expected=the same calls "
            + "on all ranks; close the file: "
            + lost.getMessage(),
        lost);
  }

  /** Runs an action that communicates; if that fails, the ranks have diverged. */
  private <T> T communicating(Supplier<T> action) {
    settle();
    requireNoDivergence();
    try {
      return action.get();
    } catch (MpiException ended) {
      lost = ended;
      throw ended;
    }
  }

  /**
   * Requires that all ranks make the same call and that no rank has found it invalid.
   *
   * @param call the call, as ranks compare it
   * @param failure the failure of this rank's check of the call, or null
   * @param facts numbers of which every rank gets the minimum over all ranks; at most 16
   * @return the minimum of each fact over all ranks
   * @throws InvalidUseException on all ranks if their calls differ, with the call of each rank
   * @throws HyperslabException on all ranks: the failure of the lowest rank that has one
   */
  public long[] require(ComparedCall call, HyperslabException failure, long... facts) {
    byte[] least = asked(call, failure, facts, null);
    ByteBuffer.wrap(least).asLongBuffer().get(facts);
    return facts;
  }

  /**
   * Requires that all ranks make the same call, runs work on rank 0, and sends its answer to all,
   * in one round trip.
   *
   * @param call the call, as ranks compare it
   * @param work the work of rank 0
   * @return rank 0's answer, on every rank
   */
  public byte[] requireFromRoot(ComparedCall call, Supplier<byte[]> work) {
    return requireFromRoot(call, new long[0], least -> work.get());
  }

  /**
   * Does the same as {@link #requireFromRoot(ComparedCall, Supplier)}, for work that depends on
   * facts of the ranks.
   *
   * @param call the call, as ranks compare it
   * @param facts numbers of which rank 0 gets the minimum over all ranks; at most 16
   * @param work the work of rank 0, given the minima
   * @return rank 0's answer, on every rank
   */
  public byte[] requireFromRoot(ComparedCall call, long[] facts, Function<long[], byte[]> work) {
    return asked(call, null, facts, work);
  }

  private byte[] asked(
      ComparedCall call, HyperslabException failure, long[] facts, Function<long[], byte[]> work) {
    requireNoDivergence();
    Reply[] reply = new Reply[1];
    waiting.add(new PendingCall(call, failure, facts, work, heard -> reply[0] = heard));
    settle();
    if (reply[0].failure() != null) {
      throw reply[0].failure();
    }
    return reply[0].answer();
  }

  /**
   * Does the same as {@link #requireFromRoot}, but need not communicate now: the ranks agree on the
   * call later, before any later call.
   *
   * @param call the call, as ranks compare it
   * @param work the work of rank 0
   * @param done receives the answer or the failure; must not communicate
   */
  public void defer(ComparedCall call, Supplier<byte[]> work, Deferred done) {
    if (lost != null) {
      done.ended(null, divergenceError());
      return;
    }
    Consumer<Reply> told = reply -> done.ended(reply.answer(), reply.failure());
    waiting.add(new PendingCall(call, null, new long[0], least -> work.get(), told));
    // One entry stays free for the call that is not deferred.
    if (roll == null || waiting.size() >= CallReports.MAX_QUESTIONS - 1) {
      settle();
    } else if (comm.rank() != 0) {
      settling(this::announce);
    }
  }

  /** Sends rank 0 the calls that were not sent yet, without waiting for it. */
  private void announce() {
    if (announced < waiting.size()) {
      roll.send(waiting.stream().skip(announced).toList());
      announced = waiting.size();
    }
  }

  /** Receives the outcome of a deferred call. */
  @FunctionalInterface
  public interface Deferred {
    /**
     * Called when the call has ended.
     *
     * @param answer the answer of rank 0; null if the call failed
     * @param failure the failure, on all ranks; null if the call did not fail
     */
    void ended(byte[] answer, HyperslabException failure);
  }

  /** {@return the number of deferred calls} */
  public int deferred() {
    return waiting.size();
  }

  /**
   * Makes the ranks agree on all calls that this rank has deferred; failures are reported to their
   * receivers.
   */
  public void settle() {
    settling(roll == null ? this::settleAmongMany : this::settleAmongFew);
  }

  /**
   * Answers, on rank 0, the deferred calls that all other ranks have announced, so that their
   * answers are there when they are needed. Does not wait for other ranks, unless calls differ.
   */
  public void settleReported() {
    settling(() -> {
      while (!waiting.isEmpty() && lost == null && roll.hasHeardAll()) {
        answerSome();
      }
    });
  }

  /** {@return whether {@link #settleReported} may be called: on rank 0 of few ranks} */
  public boolean hears() {
    return roll != null && comm.rank() == 0;
  }

  /** Communicates about the waiting calls. If that fails, they fail. */
  private void settling(Runnable action) {
    if (settling || waiting.isEmpty()) {
      return;
    }
    settling = true;
    HyperslabException ended = null;
    try {
      if (lost == null) {
        action.run();
      }
    } catch (RuntimeException | Error e) {
      ended = SharedFailure.typed(e, "collective call");
      lost = ended;
    } finally {
      settling = false;
      if (lost != null) {
        failWaiting(ended);
      }
    }
  }

  private void failWaiting(HyperslabException ended) {
    while (!waiting.isEmpty()) {
      waiting.remove().done().accept(new Reply(null, ended == null ? divergenceError() : ended));
    }
  }

  private void settleAmongFew() {
    if (comm.rank() != 0) {
      announce();
    }
    while (!waiting.isEmpty() && lost == null) {
      answerSome();
    }
  }

  /** Sends or receives the answers to some waiting calls. */
  private void answerSome() {
    comm.limit(deadlineNanos); // on all ranks, for the first message of rank 0
    List<CallReply> answers = comm.rank() == 0 ? CallReply.told(comm, judged()) : answered();
    for (CallReply each : answers) {
      PendingCall question = waiting.remove();
      announced = Math.max(0, announced - 1);
      finish(question, each);
    }
  }

  /**
   * On all ranks but rank 0: waits for its answers, with a limit until it has a message of every
   * rank.
   */
  private List<CallReply> answered() {
    try {
      return CallReply.told(comm, List.of());
    } catch (MpiException ended) {
      throw comm.isLost() ? roll.reason(ended, waiting.peek().call().kind()) : ended;
    }
  }

  /**
   * Lets the other ranks know, before rank 0 begins something that may take it long, that it has
   * messages of all of them: then they wait as long as it takes.
   *
   * @param since when the last message came
   * @return when they have
   */
  private long announced(PendingCall question, long since) {
    boolean limited = deadlineNanos != Long.MAX_VALUE && question.work() != null;
    boolean late = System.nanoTime() - since > deadlineNanos / LATE;
    if (limited && (late || LONG.stream().anyMatch(question.call().kind()::startsWith))) {
      CallReply.announce(comm);
      return System.nanoTime();
    }
    return since;
  }

  /**
   * Returns, on rank 0, the answers to the next question and to further ones that all ranks have
   * asked by then.
   */
  private List<CallReply> judged() {
    List<CallReply> answers = new ArrayList<>();
    Iterator<PendingCall> questions = waiting.iterator();
    boolean last = false;
    long heard = System.nanoTime();
    while (!last && questions.hasNext() && (answers.isEmpty() || roll.hasHeardAll())) {
      PendingCall question = questions.next();
      long[] least = question.facts().clone();
      Verdict verdict = roll.judge(question, least);
      heard = verdict == Verdict.AGREED ? announced(question, heard) : heard;
      CallReply answer =
          verdict == Verdict.AGREED ? answer(question, least) : CallReply.of(verdict);
      answers.add(answer);
      last = answer.isLast();
    }
    return answers;
  }

  private static CallReply answer(PendingCall question, long[] least) {
    return question.work() == null
        ? CallReply.agreed(bytes(least))
        : CallReply.worked(() -> question.work().apply(least));
  }

  private static byte[] bytes(long[] longs) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * longs.length);
    bytes.asLongBuffer().put(longs);
    return bytes.array();
  }

  /** Settles among many ranks: each finds out by a reduction whether all agree. */
  private void settleAmongMany() {
    while (!waiting.isEmpty() && lost == null) {
      PendingCall question = waiting.remove();
      long[] numbers = numbers(question);
      comm.limit(deadlineNanos);
      comm.allReduce(numbers, Reduction.MIN);
      boolean same = numbers[0] == ~numbers[1];
      if (!same || numbers[2] == 0) {
        finish(question, CallReply.of(same ? Verdict.FAILED : Verdict.DIFFERENT));
        continue;
      }
      long[] least = Arrays.copyOfRange(numbers, FACTS, FACTS + question.facts().length);
      if (question.work() == null) {
        finish(question, CallReply.agreed(bytes(least)));
      } else {
        finish(question, computedByRoot(() -> question.work().apply(least)));
      }
    }
  }

  /**
   * Returns the numbers of a question for a reduction. Their count is the same for all calls,
   * because ranks that make different calls must still be able to communicate.
   */
  private static long[] numbers(PendingCall question) {
    long[] numbers = new long[FACTS + CallReports.MAX_FACTS];
    long digest = question.call().digest();
    numbers[0] = digest;
    numbers[1] = ~digest;
    numbers[2] = question.failure() == null ? 1 : 0;
    System.arraycopy(question.facts(), 0, numbers, FACTS, question.facts().length);
    return numbers;
  }

  private CallReply computedByRoot(Supplier<byte[]> work) {
    return CallReply.told(comm, comm.rank() == 0 ? List.of(CallReply.worked(work)) : List.of())
        .getFirst();
  }

  /** Reports the outcome of a question. All ranks call this with the same answer. */
  private void finish(PendingCall question, CallReply answer) {
    HyperslabException failure;
    try {
      failure =
          switch (answer.verdict()) {
            case AGREED -> null;
            case DIFFERENT -> disagreement(question.call());
            case FAILED -> SharedFailure.of(comm, question.failure());
            case THREW -> answer.failure();
          };
    } catch (MpiException ended) {
      question.done().accept(new Reply(null, ended));
      throw ended;
    }
    question.done().accept(new Reply(failure == null ? answer.bytes() : null, failure));
  }

  private InvalidUseException disagreement(ComparedCall call) {
    String mine = call.kind() + "\0" + call.text();
    // A rank that has given up before does not come: its last question is still in the queue.
    comm.limit(deadlineNanos);
    byte[][] all = comm.allGatherBytes(mine.getBytes(StandardCharsets.UTF_8));
    Map<String, List<Integer>> kinds = new LinkedHashMap<>();
    Map<String, List<Integer>> texts = new LinkedHashMap<>();
    for (int rank = 0; rank < all.length; rank++) {
      String theirs = new String(all[rank], StandardCharsets.UTF_8);
      int end = theirs.indexOf('\0');
      kinds.computeIfAbsent(theirs.substring(0, end), k -> new ArrayList<>()).add(rank);
      texts.computeIfAbsent(theirs.substring(end + 1), k -> new ArrayList<>()).add(rank);
    }
    StringJoiner differences = new StringJoiner("; ");
    List<String> shortened = Differences.around(List.copyOf(texts.keySet()), LONGEST_TEXT);
    int at = 0;
    for (List<Integer> ranks : texts.values()) {
      differences.add(SharedFailure.ranks(ranks) + ": " + shortened.get(at++));
    }
    InvalidUseException failure =
        new InvalidUseException(
            "collective call: actual=ranks differ: "
                + differences
                + ", expected=the same call on all "
                + comm.size()
                + " ranks");
    if (kinds.size() > 1) {
      lost = failure;
    }
    return failure;
  }

  /**
   * Requires that a step of a call, in which every rank worked by itself, succeeded on all ranks.
   *
   * @param failure the failure of this rank, or null
   * @param facts numbers, as in {@link #require}
   * @return the minimum of each fact over all ranks
   */
  public long[] requireSuccess(HyperslabException failure, long... facts) {
    return communicating(() -> {
      long[] least = new long[1 + facts.length];
      least[0] = failure == null ? 1 : 0;
      System.arraycopy(facts, 0, least, 1, facts.length);
      comm.allReduce(least, Reduction.MIN);
      if (least[0] == 0) {
        throw SharedFailure.of(comm, failure);
      }
      System.arraycopy(least, 1, facts, 0, facts.length);
      return facts;
    });
  }

  /**
   * Returns the value found by rank 0, on every rank.
   *
   * @param work done by rank 0 alone
   * @return what the work returned, on every rank
   * @throws HyperslabException on all ranks, the failure of the work
   */
  public byte[] fromRoot(Supplier<byte[]> work) {
    return communicating(() -> {
      CallReply answer = computedByRoot(work);
      if (answer.verdict() == Verdict.THREW) {
        throw answer.failure();
      }
      return answer.bytes();
    });
  }

  /** Gives up messages that are under way, when no call is made any more. Leaves the ranks open. */
  @Override
  public void close() {
    if (roll != null) {
      roll.close();
    }
  }
}
