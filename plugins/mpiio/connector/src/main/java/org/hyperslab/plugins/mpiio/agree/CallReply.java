package org.hyperslab.plugins.mpiio.agree;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;

/**
 * The reply of rank 0 to a question.
 *
 * @param verdict the outcome
 * @param bytes the answer, or the encoded error if one was thrown
 * @param thrown the error on rank 0; null elsewhere
 */
record CallReply(Verdict verdict, byte[] bytes, HyperslabException thrown) {

  private static final byte[] NOTHING = new byte[0];

  /** Most answers fit in one message of this length. */
  private static final int BLOCK_BYTES = 2048;

  /**
   * The greatest length of a message that MPI libraries buffer at once: in Open MPI about 4 KiB
   * with a header, between processes of a machine. With longer messages rank 0 would wait until the
   * others, which sleep, receive them.
   */
  private static final int PIECE_BYTES = 3584;

  /** The maximum number of pieces; a longer answer is sent as one message. */
  private static final int MAX_PIECES = 16;

  /** Instead of a length: the answer will come, as soon as rank 0 has it. */
  private static final int AT_WORK = -1;

  private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;

  /** The outcome of a question. */
  enum Verdict {
    /** All ranks make the call, and the work of rank 0 has succeeded. */
    AGREED,
    /** The ranks' calls differ. */
    DIFFERENT,
    /** A rank found its call invalid. */
    FAILED,
    /** The action of rank 0 failed. */
    THREW
  }

  /** Returns a verdict without an answer. */
  static CallReply of(Verdict verdict) {
    return new CallReply(verdict, NOTHING, null);
  }

  /** Returns an answer with the verdict {@link Verdict#AGREED}. */
  static CallReply agreed(byte[] bytes) {
    return new CallReply(Verdict.AGREED, bytes, null);
  }

  /** Runs the work; on rank 0 only. Whatever it throws is an answer, because other ranks wait. */
  static CallReply worked(Supplier<byte[]> work) {
    try {
      return agreed(work.get());
    } catch (RuntimeException | Error e) {
      HyperslabException failure = SharedFailure.typed(e, "collective call");
      return new CallReply(Verdict.THREW, SharedFailure.encode(failure), failure);
    }
  }

  /** Returns the error that was thrown. */
  HyperslabException failure() {
    return thrown != null ? thrown : SharedFailure.decode(bytes);
  }

  /** Returns whether later questions must not be answered together with this one. */
  boolean isLast() {
    return verdict == Verdict.DIFFERENT || verdict == Verdict.FAILED;
  }

  /**
   * Sends the answers of rank 0 to every rank; collective.
   *
   * @param mine the answers, on rank 0; ignored elsewhere
   */
  static List<CallReply> told(Communicator comm, List<CallReply> mine) {
    byte[] all = told(comm, comm.rank() == 0 ? encoded(mine) : NOTHING);
    return comm.rank() == 0 ? mine : decoded(all);
  }

  /**
   * On rank 0: announces to all ranks, which are about to wait for answers, that these will come.
   */
  static void announce(Communicator comm) {
    MemorySegment head = MemorySegment.ofArray(new byte[BLOCK_BYTES]);
    head.set(LENGTH, 0, AT_WORK);
    comm.broadcast(head, 0);
  }

  /**
   * Sends bytes in one block with the length and the beginning, then the rest, in pieces unless it
   * is long.
   */
  private static byte[] told(Communicator comm, byte[] mine) {
    byte[] block = new byte[BLOCK_BYTES];
    MemorySegment head = MemorySegment.ofArray(block);
    int room = BLOCK_BYTES - Integer.BYTES;
    if (comm.rank() == 0) {
      head.set(LENGTH, 0, mine.length);
      System.arraycopy(mine, 0, block, Integer.BYTES, Math.min(mine.length, room));
    }
    comm.broadcast(head, 0);
    while (comm.rank() != 0 && head.get(LENGTH, 0) == AT_WORK) {
      comm.broadcast(head, 0);
    }
    int length = head.get(LENGTH, 0);
    byte[] all = mine;
    if (comm.rank() != 0) {
      int first = Math.min(length, room);
      all = Arrays.copyOf(Arrays.copyOfRange(block, Integer.BYTES, Integer.BYTES + first), length);
    }
    int piece = length - room <= MAX_PIECES * PIECE_BYTES ? PIECE_BYTES : length;
    for (int at = room; at < length; at += Math.min(piece, length - at)) {
      comm.broadcast(MemorySegment.ofArray(all).asSlice(at, Math.min(piece, length - at)), 0);
    }
    return all;
  }

  private static byte[] encoded(List<CallReply> answers) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      for (CallReply each : answers) {
        out.writeByte(each.verdict.ordinal());
        out.writeInt(each.bytes.length);
        out.write(each.bytes);
      }
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static List<CallReply> decoded(byte[] all) {
    try {
      List<CallReply> answers = new ArrayList<>();
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
      while (in.available() > 0) {
        Verdict verdict = Verdict.values()[in.readByte()];
        answers.add(new CallReply(verdict, in.readNBytes(in.readInt()), null));
      }
      return answers;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
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
