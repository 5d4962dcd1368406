package org.hyperslab.mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Asks ranks whether they have ended. A rank that has finished its work answers until all ranks
 * have finished; a rank that is still working does not answer. A rank that has waited for a long
 * time can thus find out whether it is waiting for a rank that has ended.
 *
 * <p>Messages travel on a separate communicator. A question consists of a byte {@value #QUESTION},
 * the number that the asker gave it (long), and its subject; an answer consists of a byte {@value
 * #ANSWER} and that number.
 *
 * <p>Thread rule: safe; needs {@link ThreadLevel#MULTIPLE} if another thread communicates.
 */
public final class TerminationProbe {

  private static final int TAG = 0;
  private static final byte QUESTION = 1;
  private static final byte ANSWER = 2;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private final MpiCommunicator comm;
  private Predicate<byte[]> misses = about -> false;
  private final List<MpiRequest> leaving = new ArrayList<>();
  private boolean ended;

  TerminationProbe(MpiCommunicator comm) {
    this.comm = comm;
  }

  /**
   * Sets the predicate that decides which questions this rank answers once it has ended.
   *
   * @param misses tests whether this rank has not done what the question asks about; called by the
   *     thread that ends the process
   */
  public synchronized void answerIf(Predicate<byte[]> misses) {
    this.misses = misses;
  }

  /**
   * Asks a rank whether it has ended without doing something.
   *
   * @param rank the rank in the world
   * @param number identifies the question in the answer
   * @param about the operation that the rank should have done, in the form that the other rank's
   *     predicate expects
   */
  public synchronized void ask(int rank, long number, byte[] about) {
    if (!ended) {
      byte[] message =
          ByteBuffer.allocate(HEAD_BYTES + about.length)
              .put(QUESTION)
              .putLong(number)
              .put(about)
              .array();
      send(message, rank);
    }
  }

  /**
   * Returns the next answer that has arrived, without waiting. Drops questions sent to this rank,
   * because it has not ended.
   *
   * @return the number of a question whose rank has answered that it has ended; empty if there is
   *     none
   */
  public synchronized OptionalLong answered() {
    while (!ended) {
      Optional<Message> next = next();
      if (next.isEmpty()) {
        return OptionalLong.empty();
      }
      if (next.get().kind() == ANSWER) {
        return OptionalLong.of(next.get().number());
      }
    }
    return OptionalLong.empty();
  }

  /** Stops asking: this rank has ended. */
  synchronized void end() {
    ended = true;
  }

  /** Answers the questions sent to this rank, which has ended. */
  synchronized void answerAll() {
    for (Optional<Message> next = next(); next.isPresent(); next = next()) {
      Message message = next.get();
      if (message.kind() == QUESTION && misses.test(message.about())) {
        byte[] answer =
            ByteBuffer.allocate(HEAD_BYTES).put(ANSWER).putLong(message.number()).array();
        send(answer, message.source());
      }
    }
  }

  /**
   * A message that was received.
   *
   * @param source the rank that sent it
   * @param bytes all of it
   */
  private record Message(int source, byte[] bytes) {
    byte kind() {
      return bytes.length < HEAD_BYTES ? 0 : bytes[0];
    }

    long number() {
      return ByteBuffer.wrap(bytes).getLong(1);
    }

    byte[] about() {
      return Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length);
    }
  }

  private Optional<Message> next() {
    return comm.probeNow(MpiCommunicator.ANY_SOURCE, TAG)
        .map(coming -> {
          byte[] bytes = new byte[Math.toIntExact(coming.bytes())];
          comm.receive(MemorySegment.ofArray(bytes), coming.source(), TAG);
          return new Message(coming.source(), bytes);
        });
  }

  /** Short messages leave at once, whatever the other rank does. */
  private void send(byte[] message, int rank) {
    leaving.removeIf(MpiRequest::test);
    leaving.add(comm.startSend(MemorySegment.ofArray(message), rank, TAG));
  }
}
