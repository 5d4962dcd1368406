package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * A group of ranks that exchange messages, as one of them sees it. Ranks count from 0.
 *
 * <p>What is sent on one communicator is never received on another. Messages from one rank to
 * another with the same tag arrive in the order in which they were sent. Segments are heap or
 * native, of any size including 0, and are counted in bytes; those of one call must not overlap.
 * Tags are 0 to 32766, which every MPI library allows.
 *
 * <p>Collective calls ({@link #barrier} and all below it but {@link #abort}) must be made by every
 * rank of the communicator, in the same order. Point-to-point messages and collectives do not
 * disturb each other.
 *
 * <p>Errors: every call may throw {@link org.hyperslab.error.MpiException}: when the library says
 * so, when a message is longer than the place for it, and when another rank of the world has failed
 * while this one waits. {@link org.hyperslab.error.InvalidUseException} says that arguments cannot
 * be (a rank out of range, arrays of the wrong length); nothing was sent then.
 *
 * <p>Thread rule: one thread at a time per communicator object. A rank that communicates from two
 * threads gives each its own {@link #duplicate}.
 */
public interface Communicator extends AutoCloseable {

  /** {@return this rank's number, from 0} */
  int rank();

  /** {@return how many ranks there are} */
  int size();

  /**
   * {@return a description for people, such as {@code "threads 3 of 8"} or {@code "MPI_COMM_WORLD 3
   * of 8 (Open MPI 4.1.4)"}}
   */
  String describe();

  /**
   * Sends and returns when {@code data} may be changed again, which may be before it is received
   * but need not be.
   *
   * @param data the bytes to send
   * @param destination the rank that receives
   * @param tag the tag of the message
   */
  void send(MemorySegment data, int destination, int tag);

  /**
   * Waits for the next message of that source and tag.
   *
   * @param into where the bytes go
   * @param source the rank that sends
   * @param tag the tag of the message
   * @return bytes received, at most {@code into.byteSize()}; what lies behind them is untouched
   * @throws org.hyperslab.error.MpiException also if the message is longer than {@code into}; it
   *     then counts as received
   */
  long receive(MemorySegment into, int source, int tag);

  /**
   * Starts to send. See {@link #send}.
   *
   * @param data the bytes to send
   * @param destination the rank that receives
   * @param tag the tag of the message
   * @return the message under way
   */
  Request startSend(MemorySegment data, int destination, int tag);

  /**
   * Starts to receive. See {@link #receive}.
   *
   * @param into where the bytes go
   * @param source the rank that sends
   * @param tag the tag of the message
   * @return the message under way
   */
  Request startReceive(MemorySegment into, int source, int tag);

  /** Returns when every rank has come here. */
  void barrier();

  /**
   * Copies the root's bytes to every rank; all segments are equally long.
   *
   * @param data the bytes to send
   * @param root the rank of the root
   */
  void broadcast(MemorySegment data, int root);

  /**
   * Puts the bytes of all ranks one after the other, by rank, on every rank.
   *
   * @param mine equally long on every rank
   * @param all {@code size()} times as long
   */
  void allGather(MemorySegment mine, MemorySegment all);

  /**
   * {@return the byte arrays of all ranks, by rank, on every rank; their lengths may differ}
   *
   * @param mine this rank's bytes
   */
  default byte[][] allGatherBytes(byte[] mine) {
    long[] counts = new long[size()];
    allGather(MemorySegment.ofArray(new long[] {mine.length}), MemorySegment.ofArray(counts));
    long[] offsets = new long[size()];
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      offsets[i] = total;
      total = Math.addExact(total, counts[i]);
    }
    byte[] packed = new byte[Math.toIntExact(total)];
    allGatherV(MemorySegment.ofArray(mine), MemorySegment.ofArray(packed), counts, offsets);
    byte[][] all = new byte[size()][];
    for (int i = 0; i < all.length; i++) {
      all[i] = new byte[(int) counts[i]];
      System.arraycopy(packed, (int) offsets[i], all[i], 0, all[i].length);
    }
    return all;
  }

  /**
   * {@return the root's bytes, on every rank}
   *
   * @param data on the root; ignored, and may be null, elsewhere
   * @param root the rank of the root
   */
  default byte[] broadcastBytes(byte[] data, int root) {
    MemorySegment length = MemorySegment.ofArray(new long[] {rank() == root ? data.length : 0});
    broadcast(length, root);
    int bytes = Math.toIntExact(length.get(ValueLayout.JAVA_LONG, 0));
    byte[] received = rank() == root ? data.clone() : new byte[bytes];
    broadcast(MemorySegment.ofArray(received), root);
    return received;
  }

  /**
   * Puts the bytes of all ranks where {@code offsets} say, on every rank.
   *
   * @param mine as long as {@code counts[rank()]}
   * @param all the parts of all ranks, by rank
   * @param counts bytes of each rank; the same on every rank
   * @param offsets where they go in {@code all}, in bytes; the ranges must not overlap
   */
  void allGatherV(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets);

  /**
   * Exchanges longs between all pairs: those at {@code mine[each * r]} and after go to rank r,
   * where they arrive at {@code theirs[each * rank()]}.
   *
   * @param mine what goes to each rank
   * @param theirs what comes from each rank
   * @param each longs for each peer; both arrays hold {@code each * size()}
   */
  void allToAll(long[] mine, long[] theirs, int each);

  /**
   * Exchanges bytes between all pairs. What goes to rank r lies at {@code sendOffsets[r]}; what
   * comes from it is put at {@code receiveOffsets[r]}. Counts must agree between the two ranks.
   *
   * @param send what is sent
   * @param sendCounts bytes for each rank
   * @param sendOffsets where they are in {@code send}
   * @param receive what is received
   * @param receiveCounts bytes from each rank
   * @param receiveOffsets where they go in {@code receive}
   */
  void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveOffsets);

  /**
   * Reduces over all ranks, place by place, and leaves the outcome in {@code values} on each.
   *
   * @param values this rank's values, replaced by the outcome
   * @param reduction how values are combined
   */
  void allReduce(long[] values, Reduction reduction);

  /**
   * Reduces over the ranks before this one, place by place, and leaves the outcome in {@code
   * values}; on rank 0 they become 0.
   *
   * @param values this rank's values, replaced by the outcome
   * @param reduction how values are combined
   */
  void exclusiveScan(long[] values, Reduction reduction);

  /**
   * Returns the communicator of the ranks that give the same colour, ordered by key, then by rank.
   *
   * @param color less than 0 for none
   * @param key orders the ranks of a colour
   * @return to be closed by the caller; null if {@code color < 0}
   */
  Communicator split(int color, int key);

  /** {@return the same ranks in a communicator of their own, to be closed by the caller} */
  Communicator duplicate();

  /** {@return the ranks that share this one's memory, in order; to be closed by the caller} */
  Communicator splitByNode();

  /**
   * {@return what is known about this communicator: the value that {@code find} gave when this was
   * first asked for that kind} Collective if {@code find} is.
   *
   * @param <T> the type of the value
   * @param kind what is asked for; the value's class
   * @param find finds it out; not null
   */
  <T> T remembered(Class<T> kind, Supplier<T> find);

  /**
   * Ends every rank of the world at once, with an exit code where the world has processes.
   *
   * @param code the exit code of the job, other than 0
   * @param why the reason, printed on standard error
   */
  void abort(int code, String why);

  /**
   * Frees it; closing again does nothing. A world itself is not closed by its user: that does
   * nothing.
   */
  @Override
  void close();
}
