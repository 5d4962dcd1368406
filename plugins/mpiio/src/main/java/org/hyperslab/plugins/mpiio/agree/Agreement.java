package org.hyperslab.plugins.mpiio.agree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

  /** How many facts a call may compare. */
  private static final int MOST_FACTS = 16;

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
    long digest = call.digest();
    // As many numbers in every call: ranks that make different calls must still understand each
    // other.
    long[] least = new long[3 + MOST_FACTS];
    least[0] = digest;
    least[1] = ~digest;
    least[2] = failure == null ? 1 : 0;
    System.arraycopy(facts, 0, least, 3, facts.length);
    comm.allReduce(least, Reduction.MIN);
    if (least[0] != ~least[1]) {
      throw disagreement(call);
    }
    if (least[2] == 0) {
      throw gathered(failure);
    }
    System.arraycopy(least, 3, facts, 0, facts.length);
    return facts;
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
   * What rank 0 found out, on every rank.
   *
   * @param work done by rank 0 alone
   * @throws HyperslabException on all ranks, what the work failed with
   */
  public byte[] fromRoot(Supplier<byte[]> work) {
    return communicating(() -> {
      if (comm.rank() != 0) {
        return unpacked(comm.broadcastBytes(null, 0));
      }
      byte[] done;
      HyperslabException failure = null;
      try {
        done = marked(work.get(), (byte) 1);
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        failure = Failures.typed(e, "collective call");
        done = marked(OperationCodec.encodeError(failure), (byte) 0);
      }
      comm.broadcastBytes(done, 0);
      if (failure != null) {
        throw failure;
      }
      return java.util.Arrays.copyOfRange(done, 1, done.length);
    });
  }

  private static byte[] marked(byte[] bytes, byte mark) {
    byte[] all = new byte[bytes.length + 1];
    all[0] = mark;
    System.arraycopy(bytes, 0, all, 1, bytes.length);
    return all;
  }

  private static byte[] unpacked(byte[] received) {
    byte[] bytes = java.util.Arrays.copyOfRange(received, 1, received.length);
    if (received[0] == 0) {
      throw OperationCodec.decodeError(bytes);
    }
    return bytes;
  }
}
