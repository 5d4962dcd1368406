package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * A group of ranks that exchange messages. Ranks count from 0.
 *
 * <p>A message sent on one communicator is never received on another. Messages from one rank to
 * another with the same tag arrive in the order in which they were sent. Segments are heap or
 * native, of any size including 0, and are counted in bytes; those of one call must not overlap.
 * Tags are 0 to 32766, which every MPI library allows; the last of them is that of {@link #meet}.
 *
 * <p>Collective calls ({@link #barrier} and all below it but {@link #abort}) must be made by every
 * rank of the communicator, in the same order. Point-to-point messages and collectives do not
 * interfere with each other.
 *
 * <p>Errors: every call may throw {@link org.hyperslab.error.MpiException}: if the library reports
 * an error, if a message is longer than the memory for it, and if another rank of the world fails
 * while this one waits. An {@link org.hyperslab.error.InvalidUseException} is thrown for invalid
 * arguments (a rank out of range, arrays of the wrong length); nothing was sent then.
 *
 * <p>Thread rule: one thread at a time per communicator object. A rank that communicates from two
 * threads must give each its own {@link #duplicate}.
 */
public interface Communicator extends AutoCloseable {

  /** {@return this rank's number, from 0} */
  int rank();

  /** {@return the number of ranks} */
  int size();

  /**
   * {@return a description for display, such as {@code "threads 3 of 8"} or {@code "MPI_COMM_WORLD
   * 3 of 8 (Open MPI 4.1.4)"}}
   */
  String describe();

  /**
   * Sends bytes to a rank. Returns when {@code data} may be changed again, before or after it is
   * received.
   *
   * @param data the bytes to send
   * @param destination the rank that receives
   * @param tag the tag of the message
   */
  void send(MemorySegment data, int destination, int tag);

  /**
   * Waits for the next message with the given source and tag.
   *
   * @param into where the bytes go
   * @param source the rank that sends
   * @param tag the tag of the message
   * @return the number of bytes received, at most {@code into.byteSize()}; bytes behind them do not
   *     change
   * @throws org.hyperslab.error.MpiException also if the message is longer than {@code into}; it
   *     then counts as received
   */
  long receive(MemorySegment into, int source, int tag);

  /**
   * Starts to send bytes. See {@link #send}.
   *
   * @param data the bytes to send
   * @param destination the rank that receives
   * @param tag the tag of the message
   * @return the message under way
   */
  Request startSend(MemorySegment data, int destination, int tag);

  /**
   * Starts to receive bytes. See {@link #receive}.
   *
   * @param into where the bytes go
   * @param source the rank that sends
   * @param tag the tag of the message
   * @return the message under way
   */
  Request startReceive(MemorySegment into, int source, int tag);

  /** Waits until every rank has made this call. */
  void barrier();

  /**
   * Waits until every rank has come here with the same call. A rank that does not come, or comes
   * with another call, is named. A rank that gives up has left this meeting; the next one is
   * another meeting.
   *
   * @param call what the rank is about to do, in words that are the same on all ranks; not empty
   * @param limitNanos how long to wait while no rank comes, in nanoseconds; {@link Long#MAX_VALUE}
   *     for no limit
   * @throws org.hyperslab.error.InvalidUseException on every rank that has come, if calls differ
   * @throws org.hyperslab.error.MpiException if ranks have not come in time
   */
  default void meet(String call, long limitNanos) {
    if (size() > 1) {
      remembered(CallRendezvous.class, () -> new CallRendezvous(this)).meet(call, limitNanos);
    }
  }

  /**
   * Limits how long the next collective call waits for other ranks to come to it. If the time is
   * over, that call throws, this communicator is {@linkplain #isLost lost}, and memory that was
   * passed must not be used again.
   *
   * <p>Called by all ranks before the same call, though with limits of their own: what can be
   * limited is another call of MPI, which all ranks must make.
   *
   * @param nanos the time in nanoseconds, {@link Long#MAX_VALUE} to wait for ever; 0 takes back
   *     what was said for the next call
   */
  default void limit(long nanos) {}

  /** {@return the time by which ranks wait for each other} */
  default Ticker ticker() {
    return Ticker.SYSTEM;
  }

  /** {@return whether a collective call has waited in vain, so that all later ones fail at once} */
  default boolean isLost() {
    return false;
  }

  /**
   * Copies the root's bytes to every rank; all segments are equally long.
   *
   * @param data the bytes to send
   * @param root the rank of the root
   */
  void broadcast(MemorySegment data, int root);

  /**
   * Gathers the bytes of all ranks, concatenated in rank order, on every rank.
   *
   * @param mine this rank's bytes, of equal length on every rank
   * @param all receives the bytes of all ranks; {@code size()} times as long
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
   * @param data the bytes to send, on the root; ignored on other ranks, where it may be null
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
   * Gathers the bytes of all ranks at the given offsets, on every rank.
   *
   * @param mine this rank's bytes, {@code counts[rank()]} of them
   * @param all receives the bytes of all ranks
   * @param counts the number of bytes of each rank; the same on every rank
   * @param offsets the offset of each rank's bytes in {@code all}; the ranges must not overlap
   */
  void allGatherV(MemorySegment mine, MemorySegment all, long[] counts, long[] offsets);

  /**
   * Exchanges longs between all pairs of ranks: those from {@code mine[each * r]} on go to rank r,
   * which receives them from {@code theirs[each * rank()]} on.
   *
   * @param mine the longs to send to each rank
   * @param theirs receives the longs from each rank
   * @param each the number of longs for each peer; both arrays hold {@code each * size()}
   */
  void allToAll(long[] mine, long[] theirs, int each);

  /**
   * Exchanges bytes between all pairs of ranks. The count that one rank sends must be the count
   * that the other receives.
   *
   * @param send the bytes to send
   * @param sendCounts the number of bytes for each rank
   * @param sendOffsets the offset of each rank's bytes in {@code send}
   * @param receive the memory that receives the bytes
   * @param receiveCounts the number of bytes from each rank
   * @param receiveOffsets the offset of each rank's bytes in {@code receive}
   */
  void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveOffsets);

  /**
   * Reduces over all ranks, element by element, and stores the result in {@code values} on each.
   *
   * @param values this rank's values, replaced by the outcome
   * @param reduction how values are combined
   */
  void allReduce(long[] values, Reduction reduction);

  /**
   * Reduces over the ranks before this one, element by element, and stores the result in {@code
   * values}; on rank 0 they become 0.
   *
   * @param values this rank's values, replaced by the outcome
   * @param reduction how values are combined
   */
  void exclusiveScan(long[] values, Reduction reduction);

  /**
   * Returns the communicator of the ranks that give the same colour, ordered by key, then by rank.
   *
   * @param color the colour of this rank; less than 0 for none
   * @param key the sort key of this rank within its colour
   * @return the new communicator, to be closed by the caller; null if {@code color < 0}
   */
  Communicator split(int color, int key);

  /**
   * {@return a duplicate: the same ranks with separate messages and the same grid; to be closed by
   * the caller}
   */
  Communicator duplicate();

  /**
   * Returns a duplicate whose ranks form a grid, row by row: the last coordinate varies fastest, as
   * {@code MPI_Cart_create} numbers ranks without reordering. Accesses to files group the ranks by
   * rows of the grid if {@code hyperslab_aggregators=ompio}.
   *
   * @param dimensions the lengths of the grid, each at least 1; their product is {@link #size}
   * @return the new communicator, to be closed by the caller
   */
  Communicator arranged(List<Integer> dimensions);

  /** {@return the lengths of the grid that the ranks form; empty if they form none} */
  List<Integer> grid();

  /**
   * {@return a number that is equal on ranks of the same node, whose processes can share memory,
   * and different on others} Does not communicate.
   */
  long node();

  /**
   * Opens a window of the library that carries the messages; collective. See {@link
   * PutWindow#ofLibrary}.
   *
   * @param bytes the length of this rank's memory; 0 for none
   * @return the window; empty on every rank if there is no such library
   */
  default Optional<PutWindow> libraryWindow(long bytes) {
    return Optional.empty();
  }

  /**
   * {@return a cached value about this communicator: the result of the first call of {@code find}
   * for the kind} Collective if {@code find} is. A value that is {@link AutoCloseable} is closed
   * with the communicator.
   *
   * @param <T> the type of the value
   * @param kind the class of the value
   * @param find computes the value; must not return null
   */
  <T> T remembered(Class<T> kind, Supplier<T> find);

  /**
   * Ends every rank of the world at once, with an exit code if the ranks are processes.
   *
   * @param code the exit code of the job, other than 0
   * @param why the reason, printed on standard error
   */
  void abort(int code, String why);

  /** Frees this communicator; closing again does nothing. Closing a world does nothing. */
  @Override
  void close();

  /**
   * Ends this rank's use of the communicator after its ranks have lost contact. Unlike {@link
   * #close} it does not need the others: it frees what is remembered for this rank, and what MPI
   * has for a communicator stays allocated. Leaving a world does nothing.
   */
  void leave();
}
