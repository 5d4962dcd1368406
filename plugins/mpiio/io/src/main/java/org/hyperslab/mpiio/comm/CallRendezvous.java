package org.hyperslab.mpiio.comm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/**
 * The meeting of a communicator's ranks before they make a collective call: each sends the others a
 * message with the call that it makes. A rank that does not come for too long is named, and so are
 * ranks that make different calls; nobody waits for ever.
 *
 * <p>Up to {@value #FEW_RANKS} ranks send to each other directly. More of them go in rounds, in
 * each of which a rank sends to one that is twice as far away, after Hensgen, Finkel, Manber: Two
 * Algorithms for Barrier Synchronization (1988); then only the rank that was to send is named,
 * which may itself wait for another.
 *
 * <p>A message is the number of the meeting (long) and the call, or, behind a zero byte, how calls
 * differ (UTF-8). Messages of meetings that a rank has given up are skipped by their numbers.
 *
 * <p>Thread rule: one thread at a time, the communicator's.
 */
final class CallRendezvous implements AutoCloseable {

  /** The tag of the messages; see {@link Communicator}. */
  static final int TAG = ArgumentChecks.MAX_TAG;

  private static final int FEW_RANKS = 32;
  private static final int MAX_BYTES = 1024;
  private static final char DIFFERENT = 0;

  private final Communicator comm;

  /** The started receive from each rank; null if there is none. */
  private final Request[] incoming;

  /** The memory for the next message from each rank; null until it is first needed. */
  private final byte[][] memory;

  private final List<Request> sends = new ArrayList<>();

  /** The last message that was sent. */
  private byte[] message = {};

  private String saidLast = "";
  private long saidAt;
  private long number;
  private long movedAt;

  CallRendezvous(Communicator comm) {
    this.comm = comm;
    this.incoming = new Request[comm.size()];
    this.memory = new byte[comm.size()][];
  }

  /** Waits until every rank has come with the same call, as {@link Communicator#meet} describes. */
  void meet(String call, long limitNanos) {
    number++;
    movedAt = comm.ticker().nanoTime();
    sends.removeIf(Request::test);
    int size = comm.size();
    if (size <= FEW_RANKS) {
      meetFew(call, limitNanos);
      return;
    }
    String said = call;
    for (int distance = 1; distance < size; distance *= 2) {
      send(said, (comm.rank() + distance) % size);
      int source = Math.floorMod(comm.rank() - distance, size);
      String heard = next(source, limitNanos);
      if (heard == null) {
        throw missing(call, limitNanos, List.of(source));
      }
      if (said.charAt(0) != DIFFERENT && !heard.equals(said)) {
        said = heard.charAt(0) == DIFFERENT ? heard : DIFFERENT + difference(heard, source, said);
      }
    }
    if (said.charAt(0) == DIFFERENT) {
      throw different(said.substring(1));
    }
  }

  /** Gives up the messages of ranks that have not come, whose memory may then be freed. */
  @Override
  public void close() {
    Request.giveUpAll(sends, incoming);
  }

  private String difference(String theirs, int source, String mine) {
    return "rank " + source + ": " + theirs + "; rank " + comm.rank() + ": " + mine;
  }

  private void meetFew(String call, long limitNanos) {
    int size = comm.size();
    for (int step = 1; step < size; step++) {
      send(call, (comm.rank() + step) % size);
    }
    String[] calls = new String[size];
    calls[comm.rank()] = call;
    boolean same = true;
    for (int step = 1; step < size; step++) {
      int source = Math.floorMod(comm.rank() - step, size);
      calls[source] = next(source, limitNanos);
      while (calls[source] == null && anotherCame(calls)) {
        calls[source] = next(source, limitNanos);
      }
      if (calls[source] == null) {
        throw missing(call, limitNanos, absent(calls));
      }
      same &= calls[source].equals(call);
    }
    if (!same) {
      throw different(differences(calls));
    }
  }

  /** Returns whether a rank has come since anything last moved: then the others have time again. */
  private boolean anotherCame(String[] calls) {
    boolean came = false;
    for (int rank = 0; rank < calls.length; rank++) {
      if (calls[rank] == null) {
        calls[rank] = next(rank, Long.MIN_VALUE);
        came |= calls[rank] != null;
      }
    }
    return came;
  }

  private static List<Integer> absent(String[] calls) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < calls.length; rank++) {
      if (calls[rank] == null) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  private void send(String said, int destination) {
    write(said);
    Request sent = comm.startSend(MemorySegment.ofArray(message), destination, TAG);
    if (!sent.test()) {
      sends.add(sent);
    }
  }

  /** Makes a message of this meeting, in the memory of the last message if possible. */
  private void write(String said) {
    if (saidAt == number && saidLast.equals(said)) {
      return;
    }
    byte[] text = said.getBytes(UTF_8);
    int length = Math.min(text.length, MAX_BYTES - Long.BYTES);
    if (message.length != Long.BYTES + length || !sends.isEmpty()) {
      message = new byte[Long.BYTES + length];
    }
    ByteBuffer.wrap(message).putLong(number).put(text, 0, length);
    saidAt = number;
    saidLast = said;
  }

  /**
   * Returns the message of a rank in this meeting.
   *
   * @param limitNanos how long nothing may move
   * @return null if it has not arrived; a later message then still belongs to this meeting
   */
  private String next(int source, long limitNanos) {
    while (true) {
      Request coming = incoming[source];
      if (coming == null) {
        if (memory[source] == null) {
          memory[source] = new byte[MAX_BYTES];
        }
        coming = comm.startReceive(MemorySegment.ofArray(memory[source]), source, TAG);
        incoming[source] = coming;
      }
      long left = limitNanos == Long.MAX_VALUE ? limitNanos : left(limitNanos);
      if (!coming.awaitAtMost(left)) {
        return null;
      }
      int length = (int) coming.await();
      incoming[source] = null;
      byte[] heard = memory[source];
      if (ByteBuffer.wrap(heard).getLong() >= number) {
        movedAt = comm.ticker().nanoTime();
        return text(heard, length);
      }
    }
  }

  /** Returns what a message says, which most often is what this rank said. */
  private String text(byte[] heard, int length) {
    boolean same = Arrays.equals(heard, Long.BYTES, length, message, Long.BYTES, message.length);
    return same && message.length < MAX_BYTES
        ? saidLast
        : new String(heard, Long.BYTES, length - Long.BYTES, UTF_8);
  }

  private long left(long limitNanos) {
    return Math.max(0, limitNanos) - (comm.ticker().nanoTime() - movedAt);
  }

  private MpiException missing(String call, long limitNanos, List<Integer> ranks) {
    return new MpiException(
        call,
        comm.rank(),
        MpiException.NO_CODE,
        "actual=nothing has moved for "
            + limitNanos / 1_000_000
            + " ms, waiting for "
            + SharedFailure.ranks(ranks)
            + ", expected=every rank makes the same calls in the same order; set the time to "
            + "wait with the hint hyperslab_deadline");
  }

  private static String differences(String[] calls) {
    Map<String, List<Integer>> ranks = new LinkedHashMap<>();
    for (int rank = 0; rank < calls.length; rank++) {
      ranks.computeIfAbsent(calls[rank], absent -> new ArrayList<>()).add(rank);
    }
    StringJoiner text = new StringJoiner("; ");
    ranks.forEach((call, who) -> text.add(SharedFailure.ranks(who) + ": " + call));
    return text.toString();
  }

  private InvalidUseException different(String how) {
    return new InvalidUseException(
        "collective call: actual=ranks differ: "
            + how
            + ", expected=the same call on all "
            + comm.size()
            + " ranks");
  }
}
