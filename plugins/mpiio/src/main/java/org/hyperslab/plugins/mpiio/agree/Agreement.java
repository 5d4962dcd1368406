package org.hyperslab.plugins.mpiio.agree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.mpiio.comm.Communicator;
import org.hyperslab.plugins.mpiio.comm.Reduction;

/**
 * Keeps the ranks of a communicator in step. Every method that communicates is collective.
 *
 * <p>Ranks that make the same kind of call with different arguments all fail, and may go on. Ranks
 * that make different kinds of call have <i>lost step</i>: nobody can know which of their next
 * calls belong together, so that from then on every call fails at once, without communication, and
 * none can wait for ever. The same holds once communication itself has failed.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class Agreement {

  /** How many facts a call may compare, and where they stand. */
  private static final int MOST_FACTS = 16;

  private static final int FACTS = 3;

  /** Up to so many ranks, rank 0 hears each of them itself. */
  private static final int FEW_RANKS = 16;

  private static final int TAG = 4710;
  private static final Call NO_CALL = new Call("", "");

  private static final byte AGREED = 1;
  private static final byte DIFFERENT = 2;
  private static final byte FAILED = 3;
  private static final byte THREW = 4;

  private static final int BLOCK_BYTES = 2048;
  private static final int HEAD_BYTES = 16;
  private static final int FIRST_BYTES = BLOCK_BYTES - HEAD_BYTES;
  private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int LONGEST_TEXT = 600;

  private final Communicator comm;
  private HyperslabException lost;

  /** Keeps these ranks in step, by messages on a communicator that nobody else uses meanwhile. */
  public Agreement(Communicator comm) {
    this.comm = comm;
  }

  /** The ranks. */
  public Communicator comm() {
    return comm;
  }

  /** Whether the ranks have lost step, so that every call fails. */
  public boolean isLost() {
    return lost != null;
  }

  /** Throws if the ranks have lost step. */
  public void requireInStep() {
    if (lost != null) {
      throw new InvalidUseException(
          "collective call: actual=the ranks lost step before, expected=the same calls on all"
              + " ranks; close the file: "
              + lost.getMessage(),
          lost);
    }
  }

  /** Runs what communicates; if the world ends meanwhile, step is lost. */
  private <T> T communicating(Supplier<T> action) {
    requireInStep();
    try {
      return action.get();
    } catch (MpiException ended) {
      lost = ended;
      throw ended;
    }
  }

  /**
   * Requires that all ranks make the same call and that none of them has found it wrong.
   *
   * @param failure what this rank found wrong with the call, or null
   * @param facts numbers of which every rank gets the least; at most 16
   * @return the least of each fact over all ranks
   * @throws InvalidUseException on all ranks if they differ, naming who calls what
   * @throws HyperslabException on all ranks: the failure of the lowest rank that has one
   */
  public long[] require(Call call, HyperslabException failure, long... facts) {
    return communicating(() -> compare(call, failure, facts));
  }

  private long[] compare(Call call, HyperslabException failure, long[] facts) {
    long[] numbers = numbers(call, failure);
    System.arraycopy(facts, 0, numbers, FACTS, facts.length);
    long[] least = least(numbers);
    byte verdict = verdict(least);
    if (comm.size() <= FEW_RANKS) {
      byte[] block = new byte[BLOCK_BYTES];
      MemorySegment head = MemorySegment.ofArray(block);
      block[0] = verdict;
      MemorySegment there = head.asSlice(HEAD_BYTES, 8L * least.length);
      there.copyFrom(MemorySegment.ofArray(least));
      comm.broadcast(head, 0);
      verdict = block[0];
      MemorySegment.ofArray(least).copyFrom(there);
    }
    requireAgreed(call, failure, verdict);
    System.arraycopy(least, FACTS, facts, 0, facts.length);
    return facts;
  }

  /**
   * The least of each number over all ranks: on rank 0, and on all if there are many. This is the
   * first step of every collective call, whatever it is: ranks that make different calls meet here.
   */
  private long[] least(long[] numbers) {
    if (comm.size() > FEW_RANKS) {
      comm.allReduce(numbers, Reduction.MIN);
      return numbers;
    }
    if (comm.rank() != 0) {
      comm.send(MemorySegment.ofArray(numbers), 0, TAG);
      return numbers;
    }
    long[] theirs = new long[numbers.length];
    for (int rank = 1; rank < comm.size(); rank++) {
      comm.receive(MemorySegment.ofArray(theirs), rank, TAG);
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Math.min(numbers[i], theirs[i]);
      }
    }
    return numbers;
  }

  /** As many in every call: ranks that make different calls must still understand each other. */
  private static long[] numbers(Call call, HyperslabException failure) {
    long[] numbers = new long[FACTS + MOST_FACTS];
    long digest = call.digest();
    numbers[0] = digest;
    numbers[1] = ~digest;
    numbers[2] = failure == null ? 1 : 0;
    return numbers;
  }

  private static byte verdict(long[] least) {
    boolean same = least[0] == ~least[1];
    return same ? least[2] == 0 ? FAILED : AGREED : DIFFERENT;
  }

  private void requireAgreed(Call call, HyperslabException failure, byte verdict) {
    if (verdict == DIFFERENT) {
      throw disagreement(call);
    }
    if (verdict == FAILED) {
      throw gathered(failure);
    }
  }

  private InvalidUseException disagreement(Call call) {
    String mine = call.kind() + "\0" + call.text();
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
      differences.add(ranks(ranks) + ": " + shortened.get(at++));
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

  /** "rank 3", "ranks 0, 1, 2", or, of many, the first ones. */
  private static String ranks(List<Integer> ranks) {
    StringJoiner text = new StringJoiner(", ", ranks.size() == 1 ? "rank " : "ranks ", "");
    for (int rank : ranks.subList(0, Math.min(8, ranks.size()))) {
      text.add(Integer.toString(rank));
    }
    return text + (ranks.size() > 8 ? " and " + (ranks.size() - 8) + " more" : "");
  }

  /**
   * Requires that a step of a call, in which every rank worked by itself, succeeded on all ranks.
   *
   * @param failure what this rank failed with, or null
   * @param facts as in {@link #require}
   */
  public long[] requireSuccess(HyperslabException failure, long... facts) {
    return communicating(() -> {
      long[] least = new long[1 + facts.length];
      least[0] = failure == null ? 1 : 0;
      System.arraycopy(facts, 0, least, 1, facts.length);
      comm.allReduce(least, Reduction.MIN);
      if (least[0] == 0) {
        throw gathered(failure);
      }
      System.arraycopy(least, 1, facts, 0, facts.length);
      return facts;
    });
  }

  /** The failure that all ranks report: that of the lowest rank that has one. */
  private HyperslabException gathered(HyperslabException mine) {
    byte[] text = mine == null ? new byte[0] : OperationCodec.encodeError(mine);
    byte[][] all = comm.allGatherBytes(text);
    List<Integer> failed = new ArrayList<>();
    for (int rank = 0; rank < all.length; rank++) {
      if (all[rank].length > 0) {
        failed.add(rank);
      }
    }
    int first = failed.getFirst();
    HyperslabException failure =
        first == comm.rank() ? mine : OperationCodec.decodeError(all[first]);
    return Failures.onRank(failure, ranks(failed) + " of " + comm.size());
  }

  /**
   * Requires that all ranks make the same call, has rank 0 do something, and tells all what came of
   * it: {@link #require} and {@link #fromRoot} in one way there and one back.
   */
  public byte[] requireFromRoot(Call call, Supplier<byte[]> work) {
    return communicating(() -> {
      byte verdict = verdict(least(numbers(call, null)));
      if (comm.size() > FEW_RANKS) {
        requireAgreed(call, null, verdict);
      }
      return exchanged(work, call, verdict);
    });
  }

  /**
   * What rank 0 found out, on every rank.
   *
   * @param work done by rank 0 alone
   * @throws HyperslabException on all ranks, what the work failed with
   */
  public byte[] fromRoot(Supplier<byte[]> work) {
    return communicating(() -> exchanged(work, NO_CALL, AGREED));
  }

  /**
   * Rank 0 works and tells: one block that says how it went and how long the answer is, with its
   * beginning, and then the rest if there is one.
   *
   * @param verdict of the comparison, on rank 0; if it is not agreed, nothing is done
   */
  private byte[] exchanged(Supplier<byte[]> work, Call call, byte verdict) {
    byte[] block = new byte[BLOCK_BYTES];
    MemorySegment head = MemorySegment.ofArray(block);
    byte[] answer = new byte[0];
    HyperslabException failure = null;
    if (comm.rank() == 0) {
      block[0] = verdict;
      try {
        answer = verdict == AGREED ? work.get() : answer;
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        failure = Failures.typed(e, "collective call");
        block[0] = THREW;
        answer = OperationCodec.encodeError(failure);
      }
      head.set(LENGTH, 8, answer.length);
      System.arraycopy(answer, 0, block, HEAD_BYTES, Math.min(answer.length, FIRST_BYTES));
    }
    comm.broadcast(head, 0);
    int length = head.get(LENGTH, 8);
    if (comm.rank() != 0) {
      answer = Arrays.copyOfRange(block, HEAD_BYTES, HEAD_BYTES + Math.min(length, FIRST_BYTES));
      answer = Arrays.copyOf(answer, length);
    }
    if (length > FIRST_BYTES) {
      MemorySegment rest = MemorySegment.ofArray(answer);
      comm.broadcast(rest.asSlice(FIRST_BYTES), 0);
    }
    requireAgreed(call, null, block[0]);
    if (block[0] == THREW) {
      throw failure != null ? failure : OperationCodec.decodeError(answer);
    }
    return answer;
  }
}
